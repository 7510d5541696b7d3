#include "base/jsonio.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(jsonio, a_document)
{
    struct gg_out *out = gg_out_memory();
    struct gg_json json;
    gg_json_init(&json, out);
    gg_json_object(&json);
    gg_json_put_string(&json, "text", "a\"b");
    gg_json_put_string(&json, "nothing", NULL);
    gg_json_put_null(&json, "null");
    gg_json_put_int(&json, "least", INT64_MIN);
    gg_json_put_uint(&json, "most", UINT64_MAX);
    gg_json_put_bool(&json, "yes", true);
    gg_json_key(&json, "empty");
    gg_json_array(&json);
    gg_json_end_array(&json);
    gg_json_key(&json, "list");
    gg_json_array(&json);
    gg_json_bool(&json, false);
    gg_json_object_inline(&json);
    gg_json_put_int(&json, "a", 1);
    gg_json_key(&json, "b");
    gg_json_array(&json);
    gg_json_uint(&json, 2);
    gg_json_null(&json);
    gg_json_end_array(&json);
    gg_json_end_object(&json);
    gg_json_array_inline(&json);
    gg_json_end_array(&json);
    gg_json_string_n(&json, gg_str_n("cut here", 3));
    gg_json_uri_path(&json, gg_str("a b/\xff"));
    gg_json_end_array(&json);
    gg_json_end_object(&json);
    char *text = gg_out_take(out, NULL);
    cr_expect_str_eq(text, "{\n"
                           "  \"text\": \"a\\\"b\",\n"
                           "  \"nothing\": null,\n"
                           "  \"null\": null,\n"
                           "  \"least\": -9223372036854775808,\n"
                           "  \"most\": 18446744073709551615,\n"
                           "  \"yes\": true,\n"
                           "  \"empty\": [],\n"
                           "  \"list\": [\n"
                           "    false,\n"
                           "    {\"a\": 1, \"b\": [2, null]},\n"
                           "    [],\n"
                           "    \"cut\",\n"
                           "    \"a%20b/%FF\"\n"
                           "  ]\n"
                           "}\n");
    free(text);
}
