#include <string>

std::string *cached;

void remember(const char *name)
{
	cached = new std::string(name);
}
