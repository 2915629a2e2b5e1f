import { adminPaths } from '#web/lib/admin-paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

const examples = [
  'Рыжий кот на подоконнике, утренний свет, акварель',
  'Логотип кофейни: чашка и горы, две краски, ровные линии',
  'Уютная комната с большим окном, за окном снег, вечер',
  'Космонавт сажает дерево на Марсе, плакат в стиле 60-х',
]

export function EmptyGallery({ onExample }: { onExample: (prompt: string) => void }) {
  return (
    <EmptyState
      glyph="image"
      title="Здесь будут ваши изображения"
      text="Опишите картинку в поле сверху или начните с примера."
      action={
        <ul className="flex w-full flex-col gap-2">
          {examples.map((prompt) => (
            <li key={prompt}>
              <button
                type="button"
                onClick={() => onExample(prompt)}
                className="w-full rounded-md border bg-surface px-4 py-2.5 text-left text-[15px] transition-colors hover:bg-hover"
              >
                {prompt}
              </button>
            </li>
          ))}
        </ul>
      }
    />
  )
}

export function NothingFound({ query, onShowAll }: { query: string; onShowAll: () => void }) {
  return (
    <EmptyState
      glyph="search"
      title="Ничего не нашлось"
      text={`По запросу «${query}» изображений нет. Попробуйте другое слово из описания.`}
      action={<Button onClick={onShowAll}>Показать все</Button>}
    />
  )
}

/** No image model: administrators get a link to add one. */
export function NoDrawingModel({ isOwner }: { isOwner: boolean }) {
  return (
    <div className="rounded-lg border bg-surface px-5 py-4">
      <p className="font-medium">Модель изображений не подключена</p>
      <p className="mt-1 text-[15px] text-muted">
        {isOwner
          ? 'Добавьте модель вида «Изображения» и укажите цену картинки: тогда здесь появится поле для описания.'
          : 'Новые картинки появятся, когда её подключит владелец сервиса. Всё, что нарисовано раньше, остаётся ниже.'}
      </p>
      {isOwner && (
        <ButtonLink href={adminPaths.modelAdd()} variant="primary" size="sm" className="mt-3">
          Добавить модель
        </ButtonLink>
      )}
    </div>
  )
}
