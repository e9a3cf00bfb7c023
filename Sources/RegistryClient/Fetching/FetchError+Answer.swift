internal import JSONText
internal import Transfers

extension FetchError {
    /// What an answer says that is not what was asked for.
    init(_ answer: TransferAnswer) async {
        let status = answer.head.status
        guard status >= 400, let bytes = try? await answer.body.collect(),
            let problem = ProblemDocument(status: status, bytes)
        else {
            self.init(.unexpectedStatus(status))
            return
        }
        self.init(.problem(problem))
    }
}
