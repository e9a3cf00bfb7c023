import Testing

@testable import PageServer

@Suite("Addresses of pages") struct PageAddressTests {
    @Test func `Addresses of a viewing lie below its own`() {
        let own = PageAddress.viewing("ab")
        for address in [PageAddress.actions("ab"), PageAddress.events("ab"), PageAddress.sheet("ab", 1)] {
            #expect(address.hasPrefix("\(own)/"))
        }
    }
}
