package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"judge/generated"
)

// What a newcomer writes with a client by oapi-codegen.
func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client, err := generated.NewClientWithResponses(os.Getenv("ADDRESS"), generated.WithRequestEditorFn(authorize))
	check(err)
	ctx := context.Background()

	key, shoe := "shoe-1", "shoe"
	draft := generated.ResourceDraft{Key: &key, AdditionalProperties: map[string]any{"name": map[string]string{"en": "Red shoe"}}}
	created, err := client.CreateOrUpdateResourceWithResponse(ctx, "judge", nil, draft)
	check(err)
	search, err := client.SearchResourcesWithResponse(ctx, "judge", &generated.SearchResourcesParams{TextEn: &shoe})
	check(err)
	fields := []string{"name.en"}
	read, err := client.GetResourceByKeyWithResponse(ctx, "judge", key, &generated.GetResourceByKeyParams{Fields: &fields})
	check(err)
	where := []string{`key = "shoe-1"`}
	list, err := client.ListResourcesSortedWithResponse(ctx, "judge", &generated.ListResourcesSortedParams{Where: &where})
	check(err)

	var action generated.ResourceUpdateAction
	check(action.FromSetFieldAction(generated.SetFieldAction{Path: "size", Value: 42}))
	update := generated.ResourceUpdate{Version: 7, Actions: []generated.ResourceUpdateAction{action}}
	refused, err := client.UpdateResourceByKeyWithResponse(ctx, "judge", key, nil, update)
	check(err)
	conflict := refused.JSON409.Errors[0]

	found, listed := []*string{}, []*string{}
	for _, one := range search.JSON200.Results {
		found = append(found, one.Key)
	}
	for _, one := range list.JSON200.Results {
		listed = append(listed, one.Key)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created": created.JSON201.Version,
		"found":   found,
		"name":    read.JSON200.AdditionalProperties["name"],
		"listed":  listed,
		"conflict": map[string]any{
			"status": refused.StatusCode(), "code": conflict.Code, "currentVersion": conflict.CurrentVersion,
		},
	}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
