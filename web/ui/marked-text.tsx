interface MarkedTextProps {
  parts: readonly { text: string; hit: boolean }[]
}

export function MarkedText({ parts }: MarkedTextProps) {
  return parts.map(({ text, hit }, index) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, only their position
      <mark key={index} className="bg-transparent font-semibold text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  )
}
