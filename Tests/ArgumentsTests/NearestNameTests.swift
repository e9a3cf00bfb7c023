import Testing

@testable import Arguments

@Suite struct `The nearest name` {
    private let names = ["listen", "limits.upload", "limits.file", "rateLimit", "log.level", "data"]

    @Test(arguments: [
        ("lisen", "listen"), ("lsiten", "listen"), ("LISTEN", "listen"), ("limits.uplod", "limits.upload"),
        ("limit.upload", "limits.upload"), ("ratelimit", "rateLimit"), ("rate_limit", "rateLimit"), ("dta", "data"),
        ("log.levle", "log.level"), ("limits.flie", "limits.file"),
    ])
    func `is the one a slip of the finger away`(_ typed: String, _ meant: String) {
        #expect(NearestName.of(typed, in: names) == meant)
    }

    @Test(arguments: ["", "x", "database", "limits", "qwertz", String(repeating: "listen", count: 10_000)])
    func `is none when nothing is near`(_ typed: String) {
        #expect(NearestName.of(typed, in: names) == nil)
    }

    @Test func `is the first of equally near ones`() {
        #expect(NearestName.of("bat", in: ["cat", "rat"]) == "cat")
    }

    @Test(arguments: [
        ("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("ab", "abc", 1), ("abc", "xbc", 1),
        ("ca", "abc", 3), ("kitten", "sitting", 3),
    ])
    func `counts one for each insertion, deletion, substitution and swap`(
        _ first: String, _ second: String, _ distance: Int
    ) {
        #expect(NearestName.distance(Array(first.utf8), Array(second.utf8), limit: 9) == distance)
        #expect(NearestName.distance(Array(second.utf8), Array(first.utf8), limit: distance) == distance)
        if distance > 0 {
            #expect(NearestName.distance(Array(first.utf8), Array(second.utf8), limit: distance - 1) == nil)
        }
    }
}
