import Logging
import RegistryServer
import Testing

@Suite struct `A token` {
    @Test func `is recognisable, and never the same twice`() {
        let tokens = (0..<200).map { _ in TokenText.make().exposedText }
        #expect(Set(tokens).count == tokens.count)
        for token in tokens {
            #expect(token.hasPrefix("wdg_"))
            #expect(token.utf8.count == 53)
            #expect(TokenText.isWellFormed(token))
        }
    }

    @Test func `uses all of its alphabet, everywhere`() {
        let tokens = (0..<2_000).map { _ in Array(TokenText.make().exposedText.utf8) }
        // The last digit of 256 bits in base 62 has fewer values than the others.
        for place in 4..<46 { #expect(Set(tokens.map { $0[place] }).count == 62) }
    }

    @Test func `with one letter changed is not one`() {
        let token = Array(TokenText.make().exposedText.utf8)
        for place in token.indices {
            var other = token
            other[place] = other[place] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            #expect(!TokenText.isWellFormed(String(decoding: other, as: UTF8.self)))
        }
        #expect(!TokenText.isWellFormed(""))
        #expect(!TokenText.isWellFormed(String(decoding: token.dropLast(), as: UTF8.self)))
    }
}
