internal import WidgetConsole

/// A key that earlier versions had. It is ignored, and its operator reads where it was found.
package struct RemovedSetting: Equatable, Sendable {
    package let path: String
    /// A sentence about its removal: what has taken its place.
    package let reason: String
    /// The version that refuses it as unknown.
    package let until: String

    package init(_ path: String, until: String, _ reason: String) {
        (self.path, self.until, self.reason) = (path, until, reason)
    }

    /// A removed key in one of the sources.
    package struct Use: Equatable, Sendable {
        package let setting: RemovedSetting
        package let source: SettingSource

        /// The place, and what to do about it, in one line.
        package var text: String {
            "\(QuotedText.plain(source.description)): \(setting.path) is ignored, and refused from \(setting.until) on. "
                + setting.reason
        }
    }
}
