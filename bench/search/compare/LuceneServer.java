import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.FacetsCollectorManager;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.facet.LabelAndValue;
import org.apache.lucene.facet.sortedset.DefaultSortedSetDocValuesReaderState;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetCounts;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetField;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * Lucene as a shop sets it up, behind the HTTP server of the JDK: names weigh six times as much as descriptions, two
 * thirds of three and more words suffice, typos as additional terms, facets by sorted doc values.
 *
 * Arguments: a file with a document in each line (id, price, six texts, three facets, the JSON to return, separated by
 * tabs), and a folder for the index, which is opened as it is where there is no such file. Prints a line of JSON with its
 * port.
 */
public class LuceneServer {
  private static final String[] LOCALES = {"en", "de", "fr"};
  private static final String[] FACETS = {"color", "brand", "series"};
  private static final int THREADS = 16;

  public static void main(String[] args) throws Exception {
    Map<String, Analyzer> byLocale =
        Map.of("en", new EnglishAnalyzer(), "de", new GermanAnalyzer(), "fr", new FrenchAnalyzer());
    Map<String, Analyzer> byField = new HashMap<>();
    for (String locale : LOCALES) {
      byField.put("name_" + locale, byLocale.get(locale));
      byField.put("description_" + locale, byLocale.get(locale));
    }
    long begun = System.nanoTime();
    Directory directory = new MMapDirectory(Path.of(args[1]));
    FacetsConfig config = new FacetsConfig();
    Path documents = Path.of(args[0]);
    Analyzer analyzer = new PerFieldAnalyzerWrapper(new EnglishAnalyzer(), byField);
    if (Files.exists(documents)) index(directory, documents, analyzer, config);
    DirectoryReader reader = DirectoryReader.open(directory);
    SortedSetDocValuesReaderState state = new DefaultSortedSetDocValuesReaderState(reader, config);
    IndexSearcher searcher = new IndexSearcher(reader);
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    server.createContext("/search", exchange -> {
      byte[] body;
      int status = 200;
      try {
        body = answer(searcher, state, byLocale, parameters(exchange)).getBytes(StandardCharsets.UTF_8);
      } catch (Exception error) {
        status = 500;
        body = String.valueOf(error).getBytes(StandardCharsets.UTF_8);
      }
      exchange.getResponseHeaders().set("content-type", "application/json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    long buildMs = (System.nanoTime() - begun) / 1_000_000;
    System.out.println("{\"port\":" + server.getAddress().getPort() + ",\"buildMs\":" + buildMs + "}");
  }

  private static void index(Directory directory, Path file, Analyzer analyzer, FacetsConfig config) throws IOException {
    IndexWriterConfig settings = new IndexWriterConfig(analyzer).setRAMBufferSizeMB(128).setOpenMode(OpenMode.CREATE);
    try (IndexWriter writer = new IndexWriter(directory, settings);
        BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] parts = line.split("\t");
        Document document = new Document();
        document.add(new LongField("price", Long.parseLong(parts[1]), Field.Store.NO));
        for (int at = 0; at < LOCALES.length; at += 1) {
          document.add(new TextField("name_" + LOCALES[at], parts[2 + 2 * at], Field.Store.NO));
          document.add(new TextField("description_" + LOCALES[at], parts[3 + 2 * at], Field.Store.NO));
        }
        for (int at = 0; at < FACETS.length; at += 1) {
          document.add(new SortedSetDocValuesFacetField(FACETS[at], parts[8 + at]));
        }
        document.add(new StoredField("json", parts[11]));
        writer.addDocument(config.build(document));
      }
      writer.forceMerge(1);
    }
  }

  private static Map<String, List<String>> parameters(HttpExchange exchange) {
    Map<String, List<String>> found = new HashMap<>();
    for (String pair : exchange.getRequestURI().getRawQuery().split("&")) {
      String[] parts = pair.split("=", 2);
      String value = URLDecoder.decode(parts[1], StandardCharsets.UTF_8);
      found.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(value);
    }
    return found;
  }

  private static String first(Map<String, List<String>> parameters, String name) {
    List<String> values = parameters.get(name);
    return values == null ? null : values.get(0);
  }

  private static Query textQuery(
      Analyzer analyzer, String locale, String text, boolean fuzzy, boolean any, boolean prefix) throws IOException {
    List<Query> words = new ArrayList<>();
    String begun = prefix ? text.substring(text.lastIndexOf(' ') + 1) : "";
    try (TokenStream tokens = analyzer.tokenStream("name_" + locale, text)) {
      CharTermAttribute letters = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) words.add(wordQuery(locale, letters.toString(), fuzzy));
      tokens.end();
    }
    if (prefix) {
      // The last word as it is, with typos, or as a beginning.
      List<Query> fields = new ArrayList<>();
      if (!words.isEmpty()) fields.add(words.remove(words.size() - 1));
      fields.add(new BoostQuery(new PrefixQuery(new Term("name_" + locale, begun)), 3));
      fields.add(new BoostQuery(new PrefixQuery(new Term("description_" + locale, begun)), 0.5f));
      words.add(new DisjunctionMaxQuery(fields, 0));
    }
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (Query word : words) all.add(word, Occur.SHOULD);
    int needed = words.size() <= 2 ? words.size() : (2 * words.size() + 2) / 3;
    all.setMinimumNumberShouldMatch(any ? 1 : needed);
    return all.build();
  }

  private static Query wordQuery(String locale, String word, boolean fuzzy) {
    List<Query> fields = new ArrayList<>();
    for (String[] field : new String[][] {{"name_", "6"}, {"description_", "1"}}) {
      float weight = Float.parseFloat(field[1]);
      Term term = new Term(field[0] + locale, word);
      fields.add(new BoostQuery(new TermQuery(term), weight));
      int edits = word.length() < 3 ? 0 : word.length() < 6 ? 1 : 2;
      if (fuzzy && edits > 0) fields.add(new BoostQuery(new FuzzyQuery(term, edits), weight * 0.5f));
    }
    return new DisjunctionMaxQuery(fields, 0);
  }

  private static String answer(
      IndexSearcher searcher,
      SortedSetDocValuesReaderState state,
      Map<String, Analyzer> analyzers,
      Map<String, List<String>> parameters)
      throws IOException {
    String locale = first(parameters, "locale");
    boolean fuzzy = parameters.containsKey("fuzzy");
    boolean any = parameters.containsKey("any");
    Query text = textQuery(analyzers.get(locale), locale, first(parameters, "text"), fuzzy, any, parameters.containsKey("prefix"));
    int limit = Integer.parseInt(first(parameters, "limit"));
    String price = first(parameters, "price");
    List<String> facets = parameters.getOrDefault("facet", List.of());
    Query query = text;
    if (price != null) {
      String[] ends = price.split("-");
      Query within = LongField.newRangeQuery("price", Long.parseLong(ends[0]), Long.parseLong(ends[1]));
      query = new BooleanQuery.Builder().add(text, Occur.MUST).add(within, Occur.FILTER).build();
    }
    // The filter narrows the results and not the facets, so that these are counted by the text alone.
    TopDocs top;
    FacetsCollector counted = null;
    if (!facets.isEmpty()) counted = searcher.search(text, new FacetsCollectorManager());
    if (parameters.containsKey("sort")) {
      top = searcher.search(query, limit, new Sort(LongField.newSortField("price", false, SortedNumericSelector.Type.MIN)));
    } else {
      top = searcher.search(query, limit);
    }
    StringBuilder json = new StringBuilder("{\"total\":").append(top.totalHits.value).append(",\"results\":[");
    StoredFields stored = searcher.storedFields();
    String separator = "";
    for (ScoreDoc hit : top.scoreDocs) {
      json.append(separator).append(stored.document(hit.doc).get("json"));
      separator = ",";
    }
    json.append("],\"facets\":{");
    separator = "";
    for (String facet : facets) {
      FacetResult result = new SortedSetDocValuesFacetCounts(state, counted).getTopChildren(200, facet);
      json.append(separator).append('"').append(facet).append("\":[");
      separator = ",";
      String comma = "";
      for (LabelAndValue value : result == null ? new LabelAndValue[0] : result.labelValues) {
        json.append(comma).append("{\"term\":\"").append(value.label).append("\",\"count\":").append(value.value).append('}');
        comma = ",";
      }
      json.append(']');
    }
    return json.append("}}").toString();
  }
}
