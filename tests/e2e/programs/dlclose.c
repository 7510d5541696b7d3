// A plugin leaks and is unloaded before the leak is found.
// build: cc -g -DPLUGIN -fPIC -shared -o plugin.so $SOURCE
// build: cc -g -o prog $SOURCE -ldl
#ifdef PLUGIN
#include <stdlib.h>

void plugin_start(void);
void plugin_start(void)
{
    char *state = malloc(33); // expect: Leak_DefinitelyLost
    state[0] = 1;
}
#else
#include <dlfcn.h>
#include <string.h>

int main(void)
{
    void (*start)(void);
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    if (plugin == NULL)
        return 1;
    void *symbol = dlsym(plugin, "plugin_start");
    memcpy(&start, &symbol, sizeof start);
    start();
    memset(&start, 0, sizeof start);
    return dlclose(plugin);
}
#endif
