package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"judge/generated"
)

// What a newcomer writes with a client by OpenAPI Generator for Go.
func main() {
	configuration := generated.NewConfiguration()
	configuration.Servers = generated.ServerConfigurations{{URL: os.Getenv("ADDRESS")}}
	client := generated.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), generated.ContextAccessToken, os.Getenv("TOKEN"))

	draft := generated.ResourceDraft{AdditionalProperties: map[string]interface{}{"name": map[string]string{"en": "Red shoe"}}}
	draft.SetKey("shoe-1")
	created, _, err := client.ResourcesAPI.CreateOrUpdateResource(ctx, "judge").ResourceDraft(draft).Execute()
	check(err)
	search, _, err := client.SearchAPI.SearchResources(ctx, "judge").TextEn("shoe").Execute()
	check(err)
	read, _, err := client.ResourcesAPI.GetResourceByKey(ctx, "judge", "shoe-1").Fields([]string{"name.en"}).Execute()
	check(err)
	list, _, err := client.ResourcesAPI.ListResourcesSorted(ctx, "judge").Where([]string{`key = "shoe-1"`}).Execute()
	check(err)

	size := generated.NewSetFieldAction("setField", "size")
	size.SetValue(42)
	action := generated.ResourceUpdateAction{SetFieldAction: size}
	update := generated.NewResourceUpdate(7, []generated.ResourceUpdateAction{action})
	_, response, err := client.ResourcesAPI.UpdateResourceByKey(ctx, "judge", "shoe-1").ResourceUpdate(*update).Execute()
	var failure *generated.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic("the version should be refused")
	}
	conflict := failure.Model().(generated.Error).Errors[0]

	found, listed := []string{}, []string{}
	for _, one := range search.Results {
		found = append(found, one.GetKey())
	}
	for _, one := range list.Results {
		listed = append(listed, one.GetKey())
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created": created.Version,
		"found":   found,
		"name":    read.AdditionalProperties["name"],
		"listed":  listed,
		"conflict": map[string]any{
			"status": response.StatusCode, "code": conflict.Code, "currentVersion": conflict.GetCurrentVersion(),
		},
	}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
