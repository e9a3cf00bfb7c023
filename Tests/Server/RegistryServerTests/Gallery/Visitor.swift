import RegistryServer
import Testing
import WidgetTestSupport

/// A browser that has the cookies of a service, follows no redirect and runs no script.
final class Visitor {
    let service: Service
    private(set) var cookies: [String: String] = [:]
    /// Further fields of every request.
    var fields = ""

    init(_ service: Service) { self.service = service }

    private var cookieField: String {
        guard !cookies.isEmpty else { return "" }
        return "Cookie: \(cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; "))\r\n"
    }

    func set(_ name: String, _ value: String) { cookies[name] = value }

    @discardableResult
    func get(_ path: String, _ more: String = "") throws -> WireAnswer {
        keep(try service.get(path, "Accept: text/html\r\n\(cookieField)\(fields)\(more)"))
    }

    /// Sends a form as a page of the service does, unless other fields say where it is from.
    @discardableResult
    func post(
        _ path: String, _ form: String = "",
        from origin: String = "Origin: http://test\r\nSec-Fetch-Site: same-origin\r\nReferer: http://test/manage\r\n",
        type: String = "application/x-www-form-urlencoded"
    ) throws -> WireAnswer {
        keep(
            try service.send(
                "POST", path, form, "Accept: text/html\r\nContent-Type: \(type)\r\n\(origin)\(cookieField)\(fields)",
                token: nil))
    }

    /// Sends an archive with fields beside it, as the form for publishing does: to all hosts of the standard channel, unless
    /// the fields say otherwise.
    func upload(_ archive: [UInt8], _ values: [(String, String)] = []) throws -> WireAnswer {
        var body: [UInt8] = []
        let usual = [("channel", "stable"), ("share", "100")].filter { field in !values.contains { $0.0 == field.0 } }
        for (name, value) in usual + values {
            body += Array("--xyz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        body += Array(
            "--xyz\r\nContent-Disposition: form-data; name=\"bundle\"; filename=\"a.zip\"\r\n\r\n".utf8)
        body += archive + Array("\r\n--xyz--\r\n".utf8)
        return try service.send(
            "POST", "/manage/publish", body,
            "Accept: text/html\r\nContent-Type: multipart/form-data; boundary=xyz\r\nOrigin: http://test\r\n\(cookieField)",
            token: nil)
    }

    private func keep(_ answer: WireAnswer) -> WireAnswer {
        guard let setting = answer.value("Set-Cookie"), let pair = setting.split(separator: ";").first else {
            return answer
        }
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        cookies[parts[0]] = setting.contains("Max-Age=0") ? nil : parts[1]
        return answer
    }

    @discardableResult
    func signIn(_ token: String = Service.admin, to place: String = "/manage") throws -> WireAnswer {
        try post("/sign-in", "token=\(token)&next=\(place)")
    }
}
