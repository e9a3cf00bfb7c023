internal import CWidgetCurl
internal import Dispatch
internal import WidgetBytes
package import WidgetSurroundings
internal import WidgetSystemCalls

/// libcurl, on one thread for the whole process.
package struct CurlTransport: Transport {
    /// The one thread, started with the first exchange.
    private static let thread = TransferThread()

    /// A file with the certificates of authorities to trust instead of the system's.
    private let authorities: String?
    private let clock: any Clock

    /// - Parameter clock: judges whether bytes come too slowly. Connections are limited by the machine's.
    package init(authorities: String? = nil, clock: any Clock = SystemClock()) {
        self.authorities = authorities
        self.clock = clock
    }

    /// By the variables in which libcurl looks for one.
    package var usesProxy: Bool {
        ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
            ProcessEnvironment.value($0) != nil
        }
    }

    package func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        let (authorities, clock) = (authorities, clock)
        let exchange = TransferExchange(request) { exchange, command in
            CurlTransport.thread.receive(exchange, command, authorities: authorities, clock)
        }
        let head = try await exchange.start()
        return TransferAnswer(head, body: ResponseBody(exchange))
    }
}

/// The thread on which all of libcurl's work is done. It sleeps while nothing happens.
///
/// Safe to share: the handle is touched by the thread alone, but for waking it, which libcurl allows from anywhere;
/// everything else crosses over in a locked box.
@safe
final class TransferThread: @unchecked Sendable {
    private struct Message {
        let exchange: TransferExchange
        let command: TransferExchange.Command
        let authorities: String?
        let clock: any Clock
    }

    /// The length of a sleep when nothing is due, in milliseconds; libcurl has its own timers.
    private static let longestSleep: Int32 = 3_600_000

    private let multi: UnsafeMutableRawPointer?
    private let inbox = Guarded([Message]())
    private var active: [ObjectIdentifier: EasyTransfer] = [:]

    init() {
        // Has to be the first call of the library, which making the one thread is.
        _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        unsafe multi = curl_multi_init()
        guard unsafe multi != nil else { return }
        // Idle connections that are kept for the next request.
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 32)
        DispatchQueue(label: "transfers", qos: .userInitiated).async { self.run() }
    }

    /// Takes a command from any thread.
    func receive(
        _ exchange: TransferExchange, _ command: TransferExchange.Command, authorities: String?, _ clock: any Clock
    ) {
        guard unsafe multi != nil else {
            exchange.ended(TransferError(.failed(code: Int(CURLE_OUT_OF_MEMORY.rawValue)), exchange.request.url))
            return
        }
        let isFirst = inbox.withLock { inbox in
            inbox.append(Message(exchange: exchange, command: command, authorities: authorities, clock: clock))
            return inbox.count == 1
        }
        if isFirst { wake() }
    }

    private func wake() { _ = unsafe curl_multi_wakeup(multi) }

    private func run() {
        while true {
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(multi, &running)
            collectFinished()
            endStalled()
            for transfer in active.values { transfer.exchange.flush() }
            if !readInbox() { _ = unsafe curl_multi_poll(multi, nil, 0, TransferThread.longestSleep, nil) }
        }
    }

    /// - Returns: whether there was anything in it.
    private func readInbox() -> Bool {
        let messages = inbox.withLock { inbox in
            let messages = inbox
            inbox = []
            return messages
        }
        for message in messages {
            let name = ObjectIdentifier(message.exchange)
            switch message.command {
            case .start: start(message, name)
            case .resume: active[name]?.resume()
            case .cancel: remove(active[name], name)
            }
        }
        return !messages.isEmpty
    }

    private func start(_ message: Message, _ name: ObjectIdentifier) {
        do throws(TransferError) {
            let transfer = try EasyTransfer(message.exchange, authorities: message.authorities, message.clock)
            active[name] = transfer
            guard unsafe curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
                throw TransferError(.failed(code: Int(CURLE_FAILED_INIT.rawValue)), message.exchange.request.url)
            }
        } catch {
            active[name] = nil
            message.exchange.ended(error)
        }
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            var outcome = CURLE_OK
            guard let easy = unsafe ccurl_finished(message, &outcome),
                let (name, transfer) = active.first(where: { unsafe $0.value.easy == easy })
            else { continue }
            let error = transfer.error(outcome)
            remove(transfer, name)
            transfer.exchange.ended(error)
        }
    }

    private func endStalled() {
        for (name, transfer) in active {
            guard let reason = transfer.stallReason({ [self] in wake() }) else { continue }
            remove(transfer, name)
            transfer.exchange.ended(TransferError(reason, transfer.exchange.request.url))
        }
    }

    private func remove(_ transfer: EasyTransfer?, _ name: ObjectIdentifier) {
        guard let transfer else { return }
        _ = unsafe curl_multi_remove_handle(multi, transfer.easy)
        active[name] = nil
    }
}
