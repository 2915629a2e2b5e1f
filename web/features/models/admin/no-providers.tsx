import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

/** No provider key is set: only the demo model answers. */
export function NoProviders() {
  return (
    <Callout
      tone="warning"
      title="Ни один провайдер не подключён"
      action={
        <ButtonLink size="sm" href={paths.help('owners/providers')}>
          Как подключить модели
        </ButtonLink>
      }
    >
      Отвечает только модель «Демо». Задайте на сервере ключ, например <code>OPENAI_API_KEY</code>, и перезапустите его:
      тогда здесь появится список настоящих моделей.
    </Callout>
  )
}
