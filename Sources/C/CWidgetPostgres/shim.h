#if !__has_include(<libpq-fe.h>)
#error "libpq is missing: apt-get install libcurl4-openssl-dev libdeflate-dev libpq-dev libsqlite3-dev libssl-dev zlib1g-dev"
#endif
#include <libpq-fe.h>
