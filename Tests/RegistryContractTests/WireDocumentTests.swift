import Testing
@testable import RegistryContract
@Suite struct `x` { @Test func `y`() {} }
