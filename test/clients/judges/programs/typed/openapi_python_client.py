"""What a newcomer writes with a client that openapi-python-client makes of the document of a project with types."""

import json
import os

from generated_client import AuthenticatedClient
from generated_client.api.resources import create_or_update_resource, get_resource_by_key
from generated_client.models import Error, Product, ProductDraft, ProductFieldsName, ProductFieldsType

client = AuthenticatedClient(base_url=os.environ["ADDRESS"], token=os.environ["TOKEN"])

name = ProductFieldsName.from_dict({"en": "Red sofa"})
draft = ProductDraft(type_=ProductFieldsType.PRODUCT, key="sofa-1", name=name, price=500)
created = create_or_update_resource.sync(client=client, body=draft)
read = get_resource_by_key.sync("sofa-1", client=client)
product = Product.from_dict(read.to_dict())
refused = create_or_update_resource.sync(client=client, body=ProductDraft(type_=ProductFieldsType.PRODUCT, name=name, price=-1))

assert isinstance(refused, Error)
print(
    json.dumps(
        {
            "created": created.version,
            "price": product.price,
            "name": product.name["en"],
            "refused": [refused.errors[0].code, refused.errors[0].field],
        }
    )
)
