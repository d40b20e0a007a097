"""What a newcomer writes with a client by OpenAPI Generator for Python."""

import json
import os

import generated_client as api
from generated_client.models.error import Error

configuration = api.Configuration(host=os.environ["ADDRESS"], access_token=os.environ["TOKEN"])
client = api.ApiClient(configuration)
resources = api.ResourcesApi(client)

draft = api.ResourceDraft(key="shoe-1", additional_properties={"name": {"en": "Red shoe"}})
created = resources.create_or_update_resource("judge", draft)
search = api.SearchApi(client).search_resources("judge", text_en="shoe")
read = resources.get_resource_by_key("judge", "shoe-1", fields=["name.en"])
page = resources.list_resources_sorted("judge", where=['key = "shoe-1"'])

conflict = None
action = api.SetFieldAction(action="setField", path="size", value=42)
try:
    resources.update_resource_by_key(
        "judge", "shoe-1", api.ResourceUpdate(version=7, actions=[api.ResourceUpdateAction(action)])
    )
except api.ApiException as exception:
    assert isinstance(exception.data, Error)
    entry = exception.data.errors[0]
    conflict = {"status": exception.status, "code": entry.code, "currentVersion": entry.current_version}

print(
    json.dumps(
        {
            "created": created.version,
            "found": [one.key for one in search.results],
            "name": read.additional_properties["name"],
            "listed": [one.key for one in page.results],
            "conflict": conflict,
        }
    )
)
