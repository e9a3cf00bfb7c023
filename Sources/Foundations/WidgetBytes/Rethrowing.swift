/// Evaluates an expression and gives its failure the caller's error type.
///
///     let name = try rethrowing(try ZipName(text), as: { BundleError(.unsafePath($0), path: path) })
///
/// The one bridge between the error types of two modules: a `do` and `catch` is written only where a failure is handled.
package func rethrowing<Value: ~Copyable, Failure: Error, Translated: Error>(
    _ expression: @autoclosure () throws(Failure) -> Value, as translate: (Failure) -> Translated
) throws(Translated) -> Value {
    do throws(Failure) { return try expression() } catch { throw translate(error) }
}

/// Runs several statements and gives their failure the caller's error type. The closure names the type that it throws,
/// because the compiler does not infer it:
///
///     try rethrowing(as: RegistryError.init) { () throws(FileError) in … }
package func rethrowing<Value: ~Copyable, Failure: Error, Translated: Error>(
    as translate: (Failure) -> Translated, _ body: () throws(Failure) -> Value
) throws(Translated) -> Value {
    do throws(Failure) { return try body() } catch { throw translate(error) }
}
