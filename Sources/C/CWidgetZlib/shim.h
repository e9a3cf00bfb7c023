#if !__has_include(<zlib.h>)
#error "zlib is missing: apt-get install libcurl4-openssl-dev libdeflate-dev libsqlite3-dev libssl-dev zlib1g-dev"
#endif
#include <zlib.h>
