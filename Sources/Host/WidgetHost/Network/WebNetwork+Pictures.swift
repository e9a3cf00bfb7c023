internal import WidgetHosting
package import WidgetRunning
internal import WidgetTransfers

/// Pictures of the network, within the same grant as requests.
extension WebNetwork {
    /// The time for a picture, all attempts included.
    private static let pictureTime = Duration.seconds(20)
    /// The kinds that pages show; what comes is judged by its bytes.
    private static let accepted = TransferField("Accept", "image/png, image/jpeg, image/gif, image/webp")

    package var fetchesPictures: Bool { true }

    package func picture(at address: String) async -> FetchedPicture {
        let url: TransferURL
        do throws(TransferError) {
            url = try granted(address)
        } catch {
            return .failed("\(error.reason)")
        }
        // Addresses of one spelling are one picture.
        return await pictures.picture(at: url.description) { await fetch(url) }
    }

    /// A request has no credentials and no field that a widget or an app has chosen.
    private func fetch(_ url: TransferURL) async -> FetchedPicture {
        var request = TransferRequest(.get, url, fields: [WebNetwork.accepted])
        request.policy = grant
        request.limits.total = WebNetwork.pictureTime
        request.limits.bodyByteCount = FetchedPicture.byteLimit
        // Others wait for their turn meanwhile.
        request.retries.attempts = 2
        do throws(TransferError) {
            switch await review?(GrantedRequest(request)) {
            case nil, .send: break
            case .answer(200, let body, _): return FetchedPicture(body)
            case .answer(let status, _, _): return .failed(WebNetwork.sentence(status))
            case .refuse(let reason), .unanswered(let reason): return .failed(reason)
            }
            let answer = try await client.send(request)
            guard answer.head.status == 200 else {
                answer.body.cancel()
                return .failed(WebNetwork.sentence(answer.head.status))
            }
            return FetchedPicture(try await answer.body.collect())
        } catch {
            return .failed("\(error.reason)")
        }
    }

    private static func sentence(_ status: Int) -> String { "its server answers with status \(status)" }
}
