/// Code at the top level that awaits: it is the main actor's.
actor Greeter {
  func greeting(_ number: Int) -> String { "hello \(number)" }
}

let greeter = Greeter()
for number in 1...50 {
  let text = await greeter.greeting(number)
  if number % 25 == 0 { print(text) }
}
