const dot = 'size-1.5 rounded-full bg-muted animate-[breathe_1.2s_ease-in-out_infinite]'

/** Three dots until the first word of an answer. The live region announces it. */
export function Thinking() {
  return (
    <div aria-hidden="true" data-screen-only className="flex h-7 items-center gap-1.5">
      <span className={dot} />
      <span className={`${dot} [animation-delay:150ms]`} />
      <span className={`${dot} [animation-delay:300ms]`} />
    </div>
  )
}
