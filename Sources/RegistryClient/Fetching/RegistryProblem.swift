internal import JSONText
internal import Transfers

extension FetchError {
    private static let longestProblem = 64 << 10
    private static let longestText = 2_000

    /// What an answer says that is not what was asked for.
    init(_ answer: TransferAnswer) async {
        let status = answer.head.status
        self.init(.unexpectedStatus(status))
        guard status >= 400, let bytes = try? await answer.body.collect(), bytes.count <= FetchError.longestProblem,
            let document = try? JSONDocument(parsing: bytes, root: .container),
            let type = try? document.cursor.optional("type", as: String.self),
            let detail = try? document.cursor.optional("detail", as: String.self)
        else { return }
        let code = type.split(separator: "/").last.map(String.init) ?? ""
        self.init(
            .refused(
                status: status, code: String(code.prefix(FetchError.longestText)),
                detail: String(detail.prefix(FetchError.longestText))))
    }
}
