interface TickBoxProps {
  label: string
  state: 'none' | 'some' | 'all'
  onTick: (withShift: boolean) => void
}

export function TickBox({ label, state, onTick }: TickBoxProps) {
  return (
    <span className="grid place-items-center">
      <input
        type="checkbox"
        aria-label={label}
        ref={(box) => {
          if (box) box.indeterminate = state === 'some'
        }}
        checked={state === 'all'}
        onChange={({ nativeEvent }) => onTick(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        className="size-5 accent-accent"
      />
    </span>
  )
}
