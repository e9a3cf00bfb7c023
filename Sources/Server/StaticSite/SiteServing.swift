internal import RegistryContract
internal import WidgetBytes

/// The parts of a site that tell a web server how to serve it.
enum SiteServing {
    /// The names under which a widget's archive can be asked for, beside its digest.
    static func archiveNames(_ name: String) -> [String] {
        let isName = !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 200 && !name.contains("/")
        return ["bundle"] + (isName ? ["\(name).zip", "\(name).bundle.zip"] : [])
    }

    /// The answers to questions that the site has no file for, by the names of their files.
    static let problems: [(name: String, bytes: [UInt8])] = [
        (
            ProblemCode.noSuchWidget.rawValue,
            problem(
                .noSuchWidget,
                "This is a copy of a registry's answers, and has none for this widget identifier and channel. It has those "
                    + "that its operator has named.")
        ),
        (
            ProblemCode.noSuchBlob.rawValue,
            problem(
                .noSuchBlob, "This is a copy of a registry's answers; no document of it names this archive any more.")
        ),
        (
            ProblemCode.notFound.rawValue,
            problem(.notFound, "This is a copy of a registry's answers to hosts, and has no other routes of it.")
        ),
    ]

    private static func problem(_ code: ProblemCode, _ detail: String) -> [UInt8] {
        var document = ProblemDocument()
        document.type = "/problems/\(code.rawValue)"
        document.title = code.title
        document.status = code.status
        document.detail = detail
        return document.bytes
    }

    /// A server block of nginx, to be included within `http`.
    static func configuration(root: String) throws(SiteError) -> [UInt8] {
        // A configuration has no escape for a dollar sign.
        guard !root.unicodeScalars.contains(where: { $0.value < 0x20 || "\"\\${};'".unicodeScalars.contains($0) })
        else {
            throw .unsuitablePath(root)
        }
        return Array(text.replacing("@ROOT@", with: root).utf8)
    }

    /// Documents may be shown for 30 seconds, as a registry says; archives never change under their digests. The
    /// entity tag of an archive is its digest, as hosts ask for parts of it.
    private static let text = """
        # Written by `widgetd export`, which replaces it: include it in the http block, and change it there.
        # For TLS, give the server block another `listen` and its certificate.

        map $arg_channel $widget_site {
            ""      "";
            stable  "";
            "~^(?<widget_channel>[A-Za-z0-9][A-Za-z0-9._-]*)$" "/channels/$widget_channel";
            default "/none";
        }

        server {
            listen 8080;
            root "@ROOT@";
            autoindex off;
            types { }
            default_type application/json;
            if ($request_method !~ "^(GET|HEAD)$") { return 405; }

            # What to show, by the identifier of a widget.
            location ~ "^/v1/widgets/(?<widget>[A-Za-z0-9][A-Za-z0-9._-]*)$" {
                try_files "$widget_site/v1/widgets/$widget" =404;
                error_page 404 /problems/no-such-widget;
                gzip on;
                gzip_types application/json;
                gzip_vary on;
                add_header Cache-Control "public, max-age=30, stale-while-revalidate=300, stale-if-error=600";
                add_header Access-Control-Allow-Origin "*";
                add_header Access-Control-Expose-Headers "*";
                add_header X-Content-Type-Options "nosniff";
            }

            # The archive itself, for hosts that ask for nothing else. A link, so its file's time says nothing.
            location ~ "^/v1/widgets/(?<widget>[A-Za-z0-9][A-Za-z0-9._-]*)/(?<archive>bundle|[^/.][^/]*\\.zip)$" {
                try_files "$widget_site/archives/$widget/$archive" =404;
                error_page 404 /problems/no-such-widget;
                default_type application/zip;
                etag off;
                if_modified_since off;
                max_ranges 0;
                add_header Last-Modified "";
                add_header Cache-Control "public, max-age=30, stale-while-revalidate=300, stale-if-error=600";
                add_header Access-Control-Allow-Origin "*";
                add_header Access-Control-Expose-Headers "*";
                add_header X-Content-Type-Options "nosniff";
            }

            # Archives by their digests, for ever the same bytes.
            location ~ "^/v1/blobs/sha256/(?<digest>[0-9a-f]{64})$" {
                try_files "/v1/blobs/sha256/$digest" =404;
                error_page 404 /problems/no-such-blob;
                default_type application/zip;
                etag off;
                add_header ETag '"sha256-$digest"';
                add_header Cache-Control "public, max-age=31536000, immutable";
                add_header Access-Control-Allow-Origin "*";
                add_header Access-Control-Expose-Headers "*";
                add_header X-Content-Type-Options "nosniff";
            }

            # A page that runs the widgets, and what it needs; the engine and the sheet never change under their names.
            location = / {
                try_files /index.html =404;
                default_type text/html;
                error_page 404 /problems/not-found;
                add_header Cache-Control "no-cache";
                add_header X-Content-Type-Options "nosniff";
            }
            location ~ "^/widget-(view|offline)\\.js$" {
                default_type text/javascript;
                error_page 404 /problems/not-found;
                gzip_static on;
                add_header Cache-Control "no-cache";
                add_header Access-Control-Allow-Origin "*";
                add_header X-Content-Type-Options "nosniff";
            }
            location ~ "^/engine-[0-9a-f]+\\.wasm$" {
                default_type application/wasm;
                error_page 404 /problems/not-found;
                gzip_static on;
                add_header Cache-Control "public, max-age=31536000, immutable";
                add_header Access-Control-Allow-Origin "*";
                add_header X-Content-Type-Options "nosniff";
            }
            location ~ "^/host-[0-9a-f]+\\.css$" {
                default_type text/css;
                error_page 404 /problems/not-found;
                add_header Cache-Control "public, max-age=31536000, immutable";
                add_header X-Content-Type-Options "nosniff";
            }

            location ^~ /problems/ {
                internal;
                default_type application/problem+json;
                add_header Cache-Control "public, max-age=30" always;
                add_header Access-Control-Allow-Origin "*" always;
                add_header X-Content-Type-Options "nosniff" always;
            }

            location / {
                return 404;
                error_page 404 /problems/not-found;
            }
        }

        """
}
