"""What a newcomer writes with a client that OpenAPI Generator for Python makes of the document of a project with types."""

import json
import os

import generated_client as api

configuration = api.Configuration(host=os.environ["ADDRESS"], access_token=os.environ["TOKEN"])
resources = api.ResourcesApi(api.ApiClient(configuration))

draft = api.ProductDraft(type="product", key="sofa-1", name={"en": "Red sofa"}, price=500)
created = resources.create_or_update_resource(api.AnyResourceDraft(draft))
product = api.Product.from_dict(resources.get_resource_by_key("sofa-1").to_dict())

refused = None
try:
    wrong = api.ProductDraft.model_construct(type="product", name={"en": "Red sofa"}, price=-1)
    resources.create_or_update_resource(api.AnyResourceDraft.model_construct(actual_instance=wrong))
except api.ApiException as exception:
    entry = exception.data.errors[0]
    refused = [entry.code, entry.var_field if hasattr(entry, "var_field") else entry.field]

print(
    json.dumps(
        {
            "created": created.actual_instance.version,
            "price": product.price,
            "name": product.name["en"],
            "refused": refused,
        }
    )
)
