import HTTPWire
import Testing

@Suite struct `What a client can take` {
    func admits(_ accept: String, _ mediaType: String = "application/json") -> Bool {
        let bytes = accept.latin1
        return Negotiation.admits(bytes.span, 0..<bytes.count, mediaType: mediaType)
    }

    func admitsGzip(_ value: String) -> Bool {
        let bytes = value.latin1
        return Negotiation.admitsGzip(bytes.span, 0..<bytes.count)
    }

    @Test(arguments: [
        "", " ", ",", "*/*", "application/json", "Application/JSON", "application/*", "text/html, */*",
        "text/html;q=0.9, application/json;q=0.1", "application/json; charset=utf-8", "*/*;q=0, application/json",
        "application/*;q=0, application/json;q=0.5", "application/json;q=0.001", "application/json;q=1.000",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", "*/* ; q=1",
        "a/b;c=\"d,e\", */*", "*/*;q=0.8,text/html;q=0.09", "text/html;level=0, */*", "text/html;q=0, */*",
        "image/avif,image/webp\t,\t*/*\t;q=.5", "*/*;q=0,application/json;q=00.10",
    ])
    func `admits what is asked for`(accept: String) {
        #expect(admits(accept))
    }

    @Test(arguments: [
        "text/html", "application/problem+json", "application/jso", "application/json5", "json", "text/*", "*/*;q=0",
        "*/*;q=0.0", "*/*; q=0.000", "application/json;q=0", "application/json;q=0, */*", "application/*;q=0, */*",
        "*/json", "*", "/", "application/", "application", "application/json;Q=0", "application/json;a=b;q=0",
        "x-application/json", "\"application/json\"", "text/html;a=\",*/*,\"", "text/html,image/avif,*/*;q=0",
        "text/html,image/avif,*/*;a=b;q=0.", "text/html,x */*,image/webp", "text/html,*/*x,image/webp",
        "application/json;q=0,text/html;q=0.9,*/*;q=0.8", "image/avif,*/*;q=.00 ", "*/*/*,text/html",
    ])
    func `does not admit what is not`(accept: String) {
        #expect(!admits(accept))
    }

    @Test func `tells an event stream from a document`() {
        #expect(admits("text/event-stream", "text/event-stream"))
        #expect(!admits("text/event-stream"))
        #expect(!admits("text/event-streams", "text/event-stream"))
    }

    @Test(arguments: [
        "gzip", "GZIP", "x-gzip", "br, gzip", "gzip;q=0.5", "*", "*;q=0.1", "identity;q=0, gzip", "gzip, *;q=0",
        " deflate , gzip ; q=1 ", "*;q=0, gzip",
    ])
    func `finds gzip`(value: String) {
        #expect(admitsGzip(value))
    }

    @Test(arguments: [
        "", "br", "identity", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "xgzip", "gzipx", "gz", "gzip x",
        "\"gzip\"",
    ])
    func `finds no gzip where there is none`(value: String) {
        #expect(!admitsGzip(value))
    }

    @Test func `knows a content type whatever its parameters`() {
        func isZip(_ value: String) -> Bool {
            let bytes = value.latin1
            return Negotiation.isOne(of: ["application/zip", "a/b"], bytes.span, 0..<bytes.count)
        }
        for value in ["application/zip", "Application/ZIP", "a/b; c=d", "a/b ;q=0"] { #expect(isZip(value)) }
        for value in ["", "application/zi", "application/zipp", "application/*", "*/*", "a/b, a/b", ";a/b", "a /b"] {
            #expect(!isZip(value))
        }
    }
}
