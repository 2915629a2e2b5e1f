interface EmblemProps {
  /** An emoji or a data URL. */
  value: string
  size?: number
}

/** Decorative: the name is always shown beside it. */
export function Emblem({ value, size = 40 }: EmblemProps) {
  const box = { width: size, height: size }
  if (value.startsWith('data:'))
    return <img src={value} alt="" style={box} className="shrink-0 rounded-[28%] object-cover" />
  return (
    <span
      aria-hidden="true"
      style={{ ...box, fontSize: Math.round(size * 0.56) }}
      className="grid shrink-0 place-items-center rounded-[28%] bg-accent-soft leading-none select-none"
    >
      {value}
    </span>
  )
}
