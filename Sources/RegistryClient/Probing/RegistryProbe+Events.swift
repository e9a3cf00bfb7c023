internal import RegistryContract
internal import Transfers

extension RegistryProbe {
    /// A little longer than a registry is ever silent.
    private static let patience = Duration.seconds(17)

    /// Whether the feed of changes arrives as it is written.
    func events() async -> ProbeFinding {
        let finding = await trying("events") { () async throws(FetchError) in
            var request = try request(RegistryPath.changes)
            request.fields = [TransferField("Accept", "text/event-stream")]
            request.limits.total = RegistryProbe.patience
            request.limits.stall = RegistryProbe.patience
            request.limits.bodyByteCount = nil
            do throws(TransferError) {
                let answer = try await client.send(request)
                guard answer.head.status == 200, answer.head["Content-Type"]?.hasPrefix("text/event-stream") == true
                else {
                    return ProbeFinding(
                        "events", .warning, "the feed is answered with \(answer.head.status)",
                        hint: "`widget watch` asks now and then instead")
                }
                _ = try await answer.body.next()
                return ProbeFinding("events", .fine, "changes are told as they happen")
            } catch {
                guard case .timedOut = error.reason else { throw FetchError(error) }
                return ProbeFinding(
                    "events", .warning, "the feed is opened, and nothing comes of it",
                    hint: "a proxy gathers it (nginx: proxy_buffering off); `widget watch` asks now and then instead")
            }
        }
        return finding ?? ProbeFinding("events", .note, "not tried")
    }
}
