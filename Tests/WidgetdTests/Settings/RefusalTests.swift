import Addresses
import Configuration
import Testing

@testable import widgetd

@Suite struct `Bad settings` {
    @Test(arguments: [
        ("{lisen: 'a:1'}", #"w.json5:1: unknown key "lisen" (did you mean `listen`?)"#),
        ("{\n limits: {\n  uplod: 1\n }\n}", #"w.json5:3: unknown key "limits.uplod" (did you mean `limits.upload`?)"#),
        ("{upload: 1}", #"w.json5:1: unknown key "upload" (did you mean `limits.upload`?)"#),
        ("{limit: {upload: 1}}", #"w.json5:1: unknown key "limit""#),
        ("{'limits.upload': 1}", #"w.json5:1: unknown key "limits.upload" (write it as limits: { upload: … })"#),
        ("{qwertz: 1}", #"w.json5:1: unknown key "qwertz""#),
        ("{'\\u001b[2J': 1}", #"w.json5:1: unknown key "\u{1b}[2J""#),
        ("{limits: {somewhere: {upload: 1}}}", #"w.json5:1: unknown key "limits.somewhere""#),
        ("{workers: 1,\nworkers: 2}", "w.json5:2: workers is given a second time"),
        ("{limits: {},\nlimits: {}}", "w.json5:2: limits is given a second time"),
        ("{limits: 5}", "w.json5:1: limits is 5, expected a group of settings in braces"),
        ("[]", "w.json5:1: the file is a list, expected a group of settings in braces"),
        ("'x'", #"w.json5:1: the file is "x", expected a group of settings in braces"#),
        (
            "{listen: {}}",
            "w.json5:1: listen is a group of settings, expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them"
        ),
        (
            "{listen: []}",
            "w.json5:1: listen is a list, expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them"
        ),
        (
            "{proxy: {trusted: ['10.0.0.0/8', '10.0.0.1/8', 'x']}}",
            #"w.json5:1: proxy.trusted is a list with "10.0.0.1/8", expected addresses or ranges like 10.0.0.0/8 or "#
                + "fd00::/8, with no bits set beyond the prefix"
        ),
        ("{data: 5}", "w.json5:1: data is 5, expected a path"),
        ("{data: null}", "w.json5:1: data is null, expected a path"),
        ("{rateLimit: 1}", "w.json5:1: rateLimit is 1, expected on or off"),
        ("{access: {read: 'all'}}", #"w.json5:1: access.read is "all", expected one of public, token"#),
        (
            "{log: {level: 'verbose'}}",
            #"w.json5:1: log.level is "verbose", expected one of error, warning, notice, info, debug"#
        ),
        ("{workers: 1.5}", "w.json5:1: workers is 1.5, expected a whole number from 0 to 256"),
        ("{workers: '4'}", #"w.json5:1: workers is "4", expected a whole number from 0 to 256"#),
        ("{workers: -1}", "w.json5:1: workers is -1, expected a whole number from 0 to 256"),
        ("{workers: 257}", "w.json5:1: workers is 257, expected a whole number from 0 to 256"),
        (
            "{workers: 9223372036854775808}",
            "w.json5:1: workers is 9.223372036854776e+18, expected a whole number from 0 to 256"
        ),
        ("{workers: NaN}", "w.json5:1: workers is nan, expected a whole number from 0 to 256"),
        ("", "w.json5:1:1: expected a value"),
        ("{\n  a: blah\n}", "w.json5:2:6: expected a value; text needs quotes"),
    ])
    func `in a file are refused with their place`(_ file: String, _ message: String) {
        #expect(problems(in: file) == [message])
    }

    @Test(arguments: [
        (
            ["WIDGETD_LIMITS_UPLOD": "1"],
            "unknown variable WIDGETD_LIMITS_UPLOD (did you mean `WIDGETD_LIMITS_UPLOAD`?)"
        ),
        (["WIDGETD_RATELIMIT": "off"], "unknown variable WIDGETD_RATELIMIT (did you mean `WIDGETD_RATE_LIMIT`?)"),
        (
            ["WIDGETD_ADMIN_TOKEN_FIEL": "x"],
            "unknown variable WIDGETD_ADMIN_TOKEN_FIEL (did you mean `WIDGETD_ADMIN_TOKEN_FILE`?)"
        ),
        (["WIDGETD_PORT": "9000"], "unknown variable WIDGETD_PORT (did you mean `WIDGETD_LISTEN`?)"),
        (["WIDGETD_": ""], "unknown variable WIDGETD_"),
        (["WIDGETD_QWERTZ": "1"], "unknown variable WIDGETD_QWERTZ"),
        (["WIDGETD_RATE_LIMIT": "no"], #"WIDGETD_RATE_LIMIT: rateLimit is "no", expected on or off"#),
        (
            ["WIDGETD_LISTEN": ""],
            #"WIDGETD_LISTEN: listen is "", expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them"#
        ),
        (["WIDGETD_DATA": ""], #"WIDGETD_DATA: data is "", expected a path"#),
        (["WIDGETD_WORKERS": "+4"], #"WIDGETD_WORKERS: workers is "+4", expected a whole number from 0 to 256"#),
        (["WIDGETD_CONFIG": "nowhere"], "nowhere: there is no such file"),
    ])
    func `in the environment are refused with their variable`(_ environment: [String: String], _ message: String) {
        #expect(problems(environment) == [message])
    }

    @Test(arguments: [
        (["--config", "nowhere"], "nowhere: there is no such file"),
        (
            ["--listen", "8080"],
            #"--listen: listen is "8080", expected HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them"#
        ),
        (["--log-format", "xml"], #"--log-format: log.format is "xml", expected one of auto, json, text"#),
        (
            ["--admin-listen", "127.0.0.1:8080"],
            "--admin-listen: adminListen is 127.0.0.1:8080, which listen already has (give the metrics an address of their own)"
        ),
    ])
    func `on the command line are refused with their flag`(_ flags: [String], _ message: String) {
        #expect(problems(flags: flags) == [message])
    }

    @Test func `are all reported at once`() {
        let found = problems(
            in: "{lisen: 1, limits: {ratio: 0, file: '1GB'}}", ["WIDGETD_DATAA": "", "WIDGETD_WORKERS": "many"],
            flags: ["--listen", "x"])
        #expect(found.count == 6)
        #expect(Set(found).count == 6)
    }

    @Test func `in a file that is too large are not even parsed`() {
        let file = "{ // " + String(repeating: "x", count: 1 << 20) + "\n}"
        #expect(problems(in: file) == ["w.json5: the file is too large (at most 1MiB are read)"])
    }

    @Test func `are not what a container platform adds for a service of this name`() {
        #expect(
            problems([
                "WIDGETD_SERVICE_HOST": "10.0.0.1", "WIDGETD_SERVICE_PORT": "80", "WIDGETD_SERVICE_PORT_HTTP": "80",
                "WIDGETD_PORT": "tcp://10.0.0.1:80", "WIDGETD_PORT_80_TCP": "tcp://10.0.0.1:80",
                "WIDGETD_PORT_80_TCP_ADDR": "10.0.0.1",
            ]) == [])
    }
}
