interface MarkedTextProps {
  pieces: readonly { text: string; hit: boolean }[]
}

/** A text with the words that were looked for standing out. */
export function MarkedText({ pieces }: MarkedTextProps) {
  return pieces.map(({ text, hit }, place) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place
      <mark key={place} className="bg-transparent font-semibold text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  )
}
