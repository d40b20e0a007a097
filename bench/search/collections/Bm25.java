import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
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
    Analyzer analyzer = analyzerOf(args[2]);
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

  private static Analyzer analyzerOf(String language) {
    return switch (language) {
      case "ar" -> new ArabicAnalyzer();
      case "da" -> new DanishAnalyzer();
      case "de" -> new GermanAnalyzer();
      case "el" -> new GreekAnalyzer();
      case "en" -> new EnglishAnalyzer();
      case "es" -> new SpanishAnalyzer();
      case "fi" -> new FinnishAnalyzer();
      case "fr" -> new FrenchAnalyzer();
      case "hi" -> new HindiAnalyzer();
      case "hu" -> new HungarianAnalyzer();
      case "hy" -> new ArmenianAnalyzer();
      case "id" -> new IndonesianAnalyzer();
      case "it" -> new ItalianAnalyzer();
      case "lt" -> new LithuanianAnalyzer();
      case "nl" -> new DutchAnalyzer();
      case "no" -> new NorwegianAnalyzer();
      case "pt" -> new PortugueseAnalyzer();
      case "ro" -> new RomanianAnalyzer();
      case "ru" -> new RussianAnalyzer();
      case "sv" -> new SwedishAnalyzer();
      case "th" -> new ThaiAnalyzer();
      case "tr" -> new TurkishAnalyzer();
      case "ja", "ko", "zh" -> new CJKAnalyzer();
      default -> new StandardAnalyzer();
    };
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
