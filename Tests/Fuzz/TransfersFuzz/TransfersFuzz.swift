import WidgetTransfers

/// Any head of a server's answer is read within the limits or refused, and a head that is read has one meaning.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTransfers(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The engine lends its bytes for this call; they are copied at once.
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    fuzzHead(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    if let range = ContentRangeField(text) {
        precondition(range.bytes != nil || range.whole != nil, "a range says nothing")
        precondition((range.bytes?.upperBound ?? 0) <= range.whole ?? .max, "a part exceeds its whole")
    }
    _ = HTTPDateText.seconds(text)
    fuzzAddress(text)
    return 0
}

/// The bytes as an answer's lines, each with its end as libcurl hands them over.
private func fuzzHead(_ bytes: [UInt8]) {
    var reader = HeadReader(byteLimit: 2_048, fieldLimit: 16)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        let wasComplete = reader.isComplete
        do {
            switch try reader.read((Array(line) + [0x0A]).span) {
            case .none: break
            case .head(let status, let fields):
                precondition(!wasComplete && reader.isComplete, "an answer has two heads")
                precondition((200...999).contains(status), "a status is out of range")
                precondition(fields.count <= 16, "there are more fields than may be")
                let head = TransferHead(status: status, fields: fields, url: home)
                precondition((head.contentLength ?? 0) >= 0, "a length is negative")
            }
        } catch {
            _ = error.reason
            return
        }
    }
}

/// An address that is accepted is spelled in one way, and a reference leads nowhere else than to the web.
private func fuzzAddress(_ text: String) {
    if let url = try? TransferURL(text) {
        guard let again = try? TransferURL(url.description) else { preconditionFailure("\(url) is refused") }
        precondition(again == url, "\(url) is read as \(again)")
        precondition(url.port > 0 && !url.host.isEmpty, "\(url) leads nowhere")
    }
    if let url = try? home.resolving(text) {
        precondition((try? TransferURL(url.description)) == url, "\(url) is refused or another")
    }
}

private let home: TransferURL = {
    guard let home = try? TransferURL("https://widgets.example.com:8443/v1/widgets/com.example.Feed-1?channel=stable")
    else { preconditionFailure("a plain address is refused") }
    return home
}()
