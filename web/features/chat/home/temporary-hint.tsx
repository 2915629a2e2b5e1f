/** What a temporary chat means; loaded when one is chosen. */
export function TemporaryHint({ id }: { id: string }) {
  return (
    <p id={id} className="max-w-prose pb-1 text-pretty">
      Не появится в списке и поиске. Исчезнет, когда вы его закончите, или через сутки после последнего сообщения.
      Символы списываются как обычно, операции остаются в истории.
    </p>
  )
}
