import Testing
import WidgetBytes

/// Goal: a failure of one module reaches the caller under the name that the caller's module gives it.
@Suite struct `The bridge between error types` {
    struct Inner: Error { let number: Int }
    struct Outer: Error, Equatable {
        let number: Int
        init(_ inner: Inner) { number = inner.number }
    }
    struct Owned: ~Copyable { let number: Int }

    func fail(unless number: Int) throws(Inner) -> Int {
        if number == 0 { throw Inner(number: 7) }
        return number
    }

    @Test func `The bridge between error types hands on the value of an expression`() throws {
        #expect(try rethrowing(try fail(unless: 3), as: Outer.init) == 3)
    }

    @Test func `The bridge between error types translates the failure of an expression`() {
        let error = #expect(throws: Outer.self) { try rethrowing(try fail(unless: 0), as: Outer.init) }
        #expect(error?.number == 7)
    }

    @Test func `The bridge between error types runs statements up to the first that fails`() {
        var reached: [Int] = []
        let error = #expect(throws: Outer.self) {
            try rethrowing(as: Outer.init) { () throws(Inner) in
                for number in [1, 0, 2] { reached.append(try fail(unless: number)) }
            }
        }
        #expect(error?.number == 7)
        #expect(reached == [1])
    }

    @Test func `The bridge between error types hands on values that cannot be copied`() throws {
        let owned = try rethrowing(as: Outer.init) { () throws(Inner) in Owned(number: try fail(unless: 5)) }
        #expect(owned.number == 5)
    }
}
