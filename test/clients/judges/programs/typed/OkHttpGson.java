import com.google.gson.Gson;
import java.util.*;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** What a newcomer writes with a client that OpenAPI Generator for Java makes of the document of a project with types. */
class Program {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("ADDRESS"));
    client.setBearerToken(System.getenv("TOKEN"));
    ResourcesApi resources = new ResourcesApi(client);

    ProductDraft draft = new ProductDraft().key("sofa-1").type(ProductDraft.TypeEnum.PRODUCT).price(500);
    draft.name(Map.of("en", "Red sofa"));
    AnyResource created = resources.createOrUpdateResource(new AnyResourceDraft(draft)).execute();
    Product read = Product.fromJson(resources.getResourceByKey("sofa-1").execute().toJson());

    List<String> refused = List.of();
    try {
      resources.createOrUpdateResource(new AnyResourceDraft(draft.key("sofa-2").price(-1))).execute();
    } catch (ApiException exception) {
      ErrorEntry error = org.openapitools.client.model.Error.fromJson(exception.getResponseBody()).getErrors().get(0);
      refused = List.of(error.getCode(), error.getField());
    }

    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("created", created.getProduct().getVersion());
    seen.put("price", read.getPrice());
    seen.put("name", read.getName().get("en"));
    seen.put("refused", refused);
    System.out.println(new Gson().toJson(seen));
  }
}
