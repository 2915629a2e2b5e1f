import { useState } from 'react'
import { initials } from '#contract/shell.ts'

interface AvatarProps {
  name: string
  image: string | null
  size?: number
}

/** Decorative: the name is always shown beside it. */
export function Avatar({ name, image, size = 32 }: AvatarProps) {
  const box = { width: size, height: size }
  const [broken, setBroken] = useState<string | null>(null)
  if (image && image !== broken)
    return (
      <img
        src={image}
        alt=""
        style={box}
        className="shrink-0 rounded-full object-cover"
        onError={() => setBroken(image)}
      />
    )
  return (
    <span
      aria-hidden="true"
      style={{ ...box, fontSize: Math.round(size * 0.4) }}
      className="grid shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-ink leading-none"
    >
      {initials(name)}
    </span>
  )
}
