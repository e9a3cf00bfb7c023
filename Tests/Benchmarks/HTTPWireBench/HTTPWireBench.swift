import HTTPWire

/// Measures reading a request's head: a bare one and one as a browser sends it.
@main
enum HTTPWireBench {
    static let bare = "GET /v1/x HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"
    static let browser = [
        "GET /v1/widgets/mobi.favio.WidgetDemo-1?channel=stable HTTP/1.1", "Host: 127.0.0.1:8080",
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        "Accept-Language: en-US,en;q=0.5", "Accept-Encoding: gzip, deflate, br, zstd", "Connection: keep-alive",
        "Upgrade-Insecure-Requests: 1", "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Site: none", "Sec-Fetch-User: ?1", "Priority: u=0, i", "Cookie: theme=dark; seen=1", "", "",
    ].joined(separator: "\r\n")

    static func main() {
        for (name, text) in [("bare", bare), ("browser", browser)] {
            let times = (0..<9).map { _ in nanoseconds(Array(text.utf8)) }.sorted()
            print("\(name): \(text.utf8.count) bytes, median \(times[4]) ns, best \(times[0]) ns")
        }
    }

    static func nanoseconds(_ bytes: [UInt8]) -> Int {
        let count = 200_000
        var head = RequestHead()
        var accepted = 0
        let elapsed = ContinuousClock().measure {
            for _ in 0..<count
            where RequestHeadParser.parse(bytes.span, into: &head, limits: HeadLimits()) == .complete {
                accepted += 1
            }
        }
        precondition(accepted == count, "the benchmark's own request is refused")
        return Int(elapsed / .nanoseconds(1)) / count
    }
}
