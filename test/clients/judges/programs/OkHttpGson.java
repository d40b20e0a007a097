import com.google.gson.Gson;
import java.util.*;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** What a newcomer writes with a client by OpenAPI Generator for Java, over OkHttp and Gson. */
class Program {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("ADDRESS"));
    client.setBearerToken(System.getenv("TOKEN"));
    ResourcesApi resources = new ResourcesApi(client);

    ResourceDraft draft = new ResourceDraft();
    draft.setKey("shoe-1");
    draft.putAdditionalProperty("name", Map.of("en", "Red shoe"));
    Resource created = resources.createOrUpdateResource("judge", draft).execute();

    SearchPage search = new SearchApi(client).searchResources("judge").textEn("shoe").execute();
    SelectedResource read = resources.getResourceByKey("judge", "shoe-1").fields(List.of("name.en")).execute();
    ResourcePage list = resources.listResourcesSorted("judge").where(List.of("key = \"shoe-1\"")).execute();

    Map<String, Object> conflict = new LinkedHashMap<>();
    ResourceUpdate update = new ResourceUpdate().version(7L);
    update.addActionsItem(new ResourceUpdateAction(new SetFieldAction().action(SetFieldAction.ActionEnum.SET_FIELD).path("size").value(42)));
    try {
      resources.updateResourceByKey("judge", "shoe-1", update).execute();
    } catch (ApiException exception) {
      ErrorEntry error = org.openapitools.client.model.Error.fromJson(exception.getResponseBody()).getErrors().get(0);
      conflict.put("status", exception.getCode());
      conflict.put("code", error.getCode());
      conflict.put("currentVersion", error.getCurrentVersion());
    }

    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("created", created.getVersion());
    seen.put("found", search.getResults().stream().map(one -> one.getKey()).toList());
    seen.put("name", read.getAdditionalProperty("name"));
    seen.put("listed", list.getResults().stream().map(one -> one.getKey()).toList());
    seen.put("conflict", conflict);
    System.out.println(new Gson().toJson(seen));
  }
}
