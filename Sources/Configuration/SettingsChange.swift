/// What a reload would change, and what of it only a restart can.
package struct SettingsChange<Root: ConfigurableSettings>: Equatable, Sendable {
    /// Keys whose new values come into force at once.
    package let applied: [String]
    /// Keys whose new values wait for a restart.
    package let needingRestart: [String]
    /// The old settings with the new values of the applied keys.
    package let settings: Root

    package init(from old: Root, to new: Root) {
        let changed = Root.table.filter { !$0.isEqual(old, new) }
        var settings = old
        for setting in changed where setting.isReloadable { setting.copy(new, &settings) }
        applied = changed.filter(\.isReloadable).map(\.path)
        needingRestart = changed.filter { !$0.isReloadable }.map(\.path)
        self.settings = settings
    }
}
