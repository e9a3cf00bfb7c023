internal import CCurl

/// Dates as header fields have them.
package enum HTTPDateText {
    /// Seconds since 1970; `nil` when it is no date.
    package static func seconds(_ text: String) -> Int64? {
        // Dates have three forms, none of them longer; libcurl reads many more.
        guard text.utf8.count <= 40, text.utf8.first.map({ $0 >= 0x41 }) ?? false else { return nil }
        let seconds = unsafe curl_getdate(text, nil)
        return seconds < 0 ? nil : Int64(seconds)
    }
}
