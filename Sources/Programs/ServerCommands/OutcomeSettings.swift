import RegistryContract
import RegistryServer
import WidgetConfiguration

extension Settings {
    /// The settings about what hosts report.
    static let reporting: [Setting<Settings>] = [
        Setting(
            "outcomes.accept", \.outcomes.accepts, .choice, isReloadable: true,
            "The hosts whose reports are counted, of releases that were installed, started, confirmed or failed: none (off), "
                + "all (open), or holders of a token with the read scope (token)."),
        Setting(
            "outcomes.perAddress", \.outcomes.perAddress, .count(1...1_000_000), isReloadable: true,
            "The most outcomes that are counted of one address in a minute; further ones are dropped."),
        Setting(
            "outcomes.perRelease", \.outcomes.perRelease, .count(1...10_000_000), isReloadable: true,
            "The most outcomes that are counted of one release in a minute, by each server."),
        Setting(
            "outcomes.inAll", \.outcomes.inAll, .count(1...10_000_000), isReloadable: true,
            "The most outcomes that are counted of all hosts in a minute, by each server."),
    ]
}
