"""What a newcomer writes with a client by openapi-python-client."""

import json
import os

from generated_client import AuthenticatedClient
from generated_client.api.resources import (
    create_or_update_resource,
    get_resource_by_key,
    list_resources_sorted,
    update_resource_by_key,
)
from generated_client.api.search import search_resources
from generated_client.models import (
    Error,
    Resource,
    ResourceDraft,
    ResourcePage,
    ResourceUpdate,
    SearchPage,
    SelectedResource,
    SetFieldAction,
)

client = AuthenticatedClient(base_url=os.environ["ADDRESS"], token=os.environ["TOKEN"])

draft = ResourceDraft(key="shoe-1")
draft["name"] = {"en": "Red shoe"}
created = create_or_update_resource.sync("judge", client=client, body=draft)
assert isinstance(created, Resource)
search = search_resources.sync("judge", client=client, text_en="shoe")
assert isinstance(search, SearchPage)
read = get_resource_by_key.sync("judge", "shoe-1", client=client, fields=["name.en"])
assert isinstance(read, SelectedResource)
page = list_resources_sorted.sync("judge", client=client, where=['key = "shoe-1"'])
assert isinstance(page, ResourcePage)

action = SetFieldAction(action="setField", path="size", value=42)
response = update_resource_by_key.sync_detailed(
    "judge", "shoe-1", client=client, body=ResourceUpdate(version=7, actions=[action])
)
assert isinstance(response.parsed, Error)
entry = response.parsed.errors[0]

print(
    json.dumps(
        {
            "created": created.version,
            "found": [one.key for one in search.results],
            "name": read["name"],
            "listed": [one.key for one in page.results],
            "conflict": {
                "status": response.status_code,
                "code": entry.code,
                "currentVersion": entry.current_version,
            },
        }
    )
)
