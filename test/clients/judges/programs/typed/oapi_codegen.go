package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"judge/generated"
)

// What a newcomer writes with a client that oapi-codegen makes of the document of a project with types.
func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client, err := generated.NewClientWithResponses(os.Getenv("ADDRESS"), generated.WithRequestEditorFn(authorize))
	check(err)

	key := "sofa-1"
	draft := generated.ProductDraft{Type: "product", Key: &key, Name: map[string]string{"en": "Red sofa"}, Price: 500}
	var body generated.AnyResourceDraft
	check(body.FromProductDraft(draft))
	created, err := client.CreateOrUpdateResourceWithResponse(ctx, nil, body)
	check(err)
	made, err := created.JSON201.AsProduct()
	check(err)
	answer, err := client.GetResourceByKeyWithResponse(ctx, "sofa-1", nil)
	check(err)
	var product generated.Product
	check(json.Unmarshal(answer.Body, &product))

	draft.Price = -1
	check(body.FromProductDraft(draft))
	refused, err := client.CreateOrUpdateResourceWithResponse(ctx, nil, body)
	check(err)
	problem := refused.JSON400.Errors[0]

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created": made.Version,
		"price":   product.Price,
		"name":    product.Name["en"],
		"refused": []string{problem.Code, *problem.Field},
	}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
