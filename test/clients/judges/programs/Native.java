import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.*;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** What a newcomer writes with a client by OpenAPI Generator for Java, over the HTTP client of the JDK and Jackson. */
class Program {
  public static void main(String[] args) throws Exception {
    ObjectMapper mapper = ApiClient.createDefaultObjectMapper();
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("ADDRESS"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("TOKEN")));
    ResourcesApi resources = new ResourcesApi(client);

    ResourceDraft draft = new ResourceDraft().key("shoe-1").putAdditionalProperty("name", Map.of("en", "Red shoe"));
    Resource created =
        resources.createOrUpdateResource(
            ResourcesApi.APICreateOrUpdateResourceRequest.newBuilder().projectKey("judge").resourceDraft(draft).build());
    SearchPage search =
        new SearchApi(client)
            .searchResources(SearchApi.APISearchResourcesRequest.newBuilder().projectKey("judge").textEn("shoe").build());
    SelectedResource read =
        resources.getResourceByKey(
            ResourcesApi.APIGetResourceByKeyRequest.newBuilder()
                .projectKey("judge").key("shoe-1").fields(List.of("name.en")).build());
    ResourcePage list =
        resources.listResourcesSorted(
            ResourcesApi.APIListResourcesSortedRequest.newBuilder()
                .projectKey("judge").where(List.of("key = \"shoe-1\"")).build());

    Map<String, Object> conflict = new LinkedHashMap<>();
    SetFieldAction action = new SetFieldAction().action(SetFieldAction.ActionEnum.SET_FIELD).path("size").value(42);
    ResourceUpdate update = new ResourceUpdate().version(7L).addActionsItem(new ResourceUpdateAction(action));
    try {
      resources.updateResourceByKey(
          ResourcesApi.APIUpdateResourceByKeyRequest.newBuilder()
              .projectKey("judge").key("shoe-1").resourceUpdate(update).build());
    } catch (ApiException exception) {
      ErrorEntry error =
          mapper.readValue(exception.getResponseBody(), org.openapitools.client.model.Error.class).getErrors().get(0);
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
    System.out.println(mapper.writeValueAsString(seen));
  }
}
