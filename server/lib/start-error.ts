/** A start that cannot go on: the sentence says what to do, so it is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
