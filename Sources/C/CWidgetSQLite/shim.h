#if !__has_include(<sqlite3.h>)
#error "SQLite is missing: apt-get install libcurl4-openssl-dev libdeflate-dev libsqlite3-dev libssl-dev zlib1g-dev"
#endif
#include <sqlite3.h>
