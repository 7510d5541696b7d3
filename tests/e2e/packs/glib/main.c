/* A class, a main loop and a file with GIO; loses an object, a list, a string; reads what it must
 * not in a callback; and keeps something of its class. */
#include <string.h>

#include <gio/gio.h>

typedef struct {
    GObject parent;
    int count;
} Counter;

typedef struct {
    GObjectClass parent;
    char *kept;
} CounterClass;

GType counter_get_type(void);

G_DEFINE_TYPE(Counter, counter, G_TYPE_OBJECT)

static void get(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    (void)id;
    (void)spec;
    g_value_set_int(value, ((Counter *)object)->count);
}

static void counter_class_init(CounterClass *class)
{
    G_OBJECT_CLASS(class)->get_property = get;
    g_object_class_install_property(
        G_OBJECT_CLASS(class), 1, g_param_spec_int("count", NULL, NULL, 0, 9, 0, G_PARAM_READABLE));
    g_signal_new("changed", counter_get_type(), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                 0);
    class->kept = g_strdup("kept with the class"); // expect: Leak_StillReachable
}

static void counter_init(Counter *counter)
{
    counter->count = 1;
}

static void changed(GObject *object, gpointer data)
{
    (void)object;
    (void)data;
}

static gboolean quit(gpointer loop)
{
    char *text = g_strdup("abc");
    if (strlen(text) + (gsize)text[5] == 99) // expect: InvalidRead
        g_message("%s", text);
    g_free(text);
    g_main_loop_quit(loop);
    return FALSE;
}

static void work(void)
{
    GObject *object = g_object_new(counter_get_type(), NULL);
    int count;
    g_signal_connect(object, "changed", G_CALLBACK(changed), NULL);
    g_signal_emit_by_name(object, "changed");
    g_object_get(object, "count", &count, NULL);
    g_object_unref(object);
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    g_idle_add(quit, loop);
    g_main_loop_run(loop);
    g_main_loop_unref(loop);
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_insert(table, g_strdup("a"), g_strdup("b"));
    g_hash_table_unref(table);
    GVariant *variant = g_variant_new("(si)", "x", 1);
    g_variant_unref(g_variant_ref_sink(variant));
    GFile *file = g_file_new_for_path("/etc/passwd");
    char *bytes;
    gsize len;
    if (g_file_load_contents(file, NULL, &bytes, &len, NULL, NULL))
        g_free(bytes);
    g_object_unref(file);
    GError *error = NULL;
    g_file_get_contents("/nowhere", &bytes, &len, &error);
    g_clear_error(&error);
    GDateTime *now = g_date_time_new_now_local();
    g_date_time_unref(now);
    g_quark_from_string("a quark");
    g_get_home_dir();
    g_get_user_config_dir();
    g_random_int();
    GSimpleAction *action = g_simple_action_new("action", NULL);
    g_object_unref(action);
}

static void lose(void)
{
    g_object_new(counter_get_type(), NULL);  // expect: Leak_DefinitelyLost
    GList *list = g_list_append(NULL, NULL); // expect: Leak_DefinitelyLost
    list = g_list_append(list, NULL);        // expect: Leak_IndirectlyLost
    g_strdup("lost");                        // expect: Leak_DefinitelyLost
    g_hash_table_new(NULL, NULL);            // expect: Leak_DefinitelyLost Leak_IndirectlyLost
}

int main(void)
{
    work();
    lose();
    work();
    return 0;
}
