import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/**
 * Plain BM25 of Lucene over one field: any word suffices. Arguments: a file of documents (id, text) and one of queries (id, text), each
 * a line with a tab, and a language. Prints a line for each query: its id and those of the first hundred documents, separated by tabs.
 */
public class Bm25 {
  public static void main(String[] args) throws Exception {
    Map<String, Analyzer> analyzers =
        Map.of(
            "en", new EnglishAnalyzer(),
            "de", new GermanAnalyzer(),
            "fr", new FrenchAnalyzer(),
            "es", new SpanishAnalyzer(),
            "it", new ItalianAnalyzer());
    Analyzer analyzer = analyzers.getOrDefault(args[2], new SimpleAnalyzer());
    Directory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer));
        BufferedReader lines = Files.newBufferedReader(Path.of(args[0]))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] parts = line.split("\t", 2);
        Document document = new Document();
        document.add(new StringField("id", parts[0], Field.Store.YES));
        document.add(new TextField("text", parts[1], Field.Store.NO));
        writer.addDocument(document);
      }
    }
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    StringBuilder out = new StringBuilder();
    for (String line : Files.readAllLines(Path.of(args[1]), StandardCharsets.UTF_8)) {
      String[] parts = line.split("\t", 2);
      StringJoiner found = new StringJoiner("\t");
      found.add(parts[0]);
      for (ScoreDoc hit : searcher.search(queryOf(analyzer, parts[1]), 100).scoreDocs) {
        found.add(searcher.storedFields().document(hit.doc).get("id"));
      }
      out.append(found).append('\n');
    }
    System.out.print(out);
  }

  private static BooleanQuery queryOf(Analyzer analyzer, String text) throws IOException {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    try (TokenStream tokens = analyzer.tokenStream("text", text)) {
      CharTermAttribute letters = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) query.add(new TermQuery(new Term("text", letters.toString())), Occur.SHOULD);
      tokens.end();
    }
    return query.build();
  }
}
