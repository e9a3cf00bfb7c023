// libcurl, and one name for each kind of argument of its variadic calls, which Swift cannot make.
//
// Nothing here decides anything: each function is one call.
#ifndef CCURL_H
#define CCURL_H

#if !__has_include(<curl/curl.h>)
#error "libcurl is missing: apt-get install libcurl4-openssl-dev libdeflate-dev libsqlite3-dev libssl-dev zlib1g-dev"
#endif
#include <curl/curl.h>
#include <stdint.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);

typedef size_t (*ccurl_bytes)(char *bytes, size_t size, size_t count, void *context);
CURLcode ccurl_set_bytes_function(CURL *easy, CURLoption option, ccurl_bytes function);
CURLcode ccurl_set_seek_function(CURL *easy, curl_seek_callback function);
CURLcode ccurl_set_socket_function(CURL *easy, curl_opensocket_callback function);
CURLcode ccurl_set_request_function(CURL *easy, curl_prereq_callback function);

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

// A finished transfer's handle and its outcome; NULL when the message is of another kind.
CURL *ccurl_finished(const CURLMsg *message, CURLcode *outcome);

// The address a socket is wanted for, as sixteen bytes (IPv4 in its mapped form) and a port; 0 when it is none.
int ccurl_address(const struct curl_sockaddr *address, uint8_t bytes[16], uint16_t *port);

curl_socket_t ccurl_open(const struct curl_sockaddr *address);

#endif
