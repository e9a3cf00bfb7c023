import Registry
import RegistryContract
import Testing

@Suite struct `A channel's name` {
    @Test(arguments: ["stable", "a", "0", "Beta.2_x-y", String(repeating: "a", count: 64)])
    func `may be`(_ name: String) { #expect(ChannelName.isName(name)) }

    @Test(arguments: ["", ".a", "-a", "_a", "a b", "a/b", "é", String(repeating: "a", count: 65)])
    func `may not be`(_ name: String) { #expect(!ChannelName.isName(name)) }
}
