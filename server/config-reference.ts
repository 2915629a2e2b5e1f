import { providerSettings } from '#server/llm/provider-settings.ts'
import { providerIds } from './auth/provider-ids.ts'

/** The description of every setting; docs/settings.md and .env.example are generated from it. */
interface Setting {
  /** One name, or several that are set together. */
  name: string | string[]
  means: string
  /** Shown instead of the schema's default. */
  usual?: string
  /** Shown in .env.example when there is no default. */
  example?: string
}

interface Topic {
  title: string
  settings: Setting[]
}

/** Settings whose names follow a pattern and are not in the schema. */
export const namesByPattern = {
  socialProvider: ['<СЕРВИС>_CLIENT_ID', '<СЕРВИС>_CLIENT_SECRET'],
  openai: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  modelProvider: providerSettings.map((setting) => `PROVIDER_<ИМЯ>_${setting}`),
  country: ['OPENAI_COUNTRY', 'PROVIDER_<ИМЯ>_COUNTRY'],
}

/** Set by tests only. */
export const undocumentedNames = ['BUILD_ID']

export const configReference: Topic[] = [
  {
    title: 'Сервер',
    settings: [
      {
        name: 'NODE_ENV',
        means:
          '`production` — строгий режим: обязательны `SMTP_URL`, `AUTH_SECRET`, `ADMIN_EMAILS` и `APP_URL` с https. Всё остальное — режим «попробовать»',
      },
      { name: 'PORT', means: 'порт; для оплаты понарошку должны быть свободны и два следующих' },
      {
        name: 'HOST',
        usual: '`127.0.0.1`, в production `0.0.0.0`',
        means: 'на каком адресе слушать; пока письма остаются в `/dev/mail`, только на своей машине',
      },
      {
        name: 'APP_URL',
        usual: '`http://localhost:PORT`',
        example: 'https://chat.example.ru',
        means: 'адрес, который видят люди: для ссылок в письмах и проверки, не с чужого ли сайта запрос',
      },
      { name: 'APP_NAME', means: 'название на страницах и в письмах' },
      {
        name: 'COUNTRY',
        means:
          'страна этой установки, две буквы. Модели, чьи данные уходят в другую страну или неизвестно куда, помечены, и от них можно скрывать личное',
      },
      { name: 'DATA_DIR', means: 'папка встроенной базы, файлов, писем разработки и созданного секрета' },
      { name: 'TRUST_PROXY', means: 'сколько ваших прокси стоит перед сервером: ровно столько, не больше и не меньше' },
      {
        name: 'DRAIN_SECONDS',
        usual: '`60` в production, иначе `5`',
        example: '60',
        means:
          'сколько секунд после SIGTERM дописываются начатые ответы; новые получают 503, и страница повторяет их сама',
      },
      {
        name: 'MAX_RUNNING_ANSWERS',
        means: 'сколько ответов один процесс пишет сразу; лишние получают 503, и страница повторяет их сама',
      },
      {
        name: 'KEEP_PAGES',
        means:
          '`1` — браузер хранит макет и файлы страницы: она открывается сразу, и без интернета тоже. Личного там нет. `0` — браузеры удаляют сохранённое при следующем посещении',
      },
      {
        name: 'LIMITS',
        example: 'sends=60/60, stored-prompts=5000',
        means:
          'свои ограничения, например `sends=60/60, stored-prompts=5000`: сколько раз за сколько секунд или сколько всего. Имена и числа — на экране «Ограничения»',
      },
    ],
  },
  {
    title: 'База, Redis, файлы',
    settings: [
      {
        name: 'DATABASE_URL',
        example: 'postgres://user:password@localhost/symbol',
        means:
          'адрес Postgres, например `postgres://user:password@localhost/symbol`. Без него работает встроенная база',
      },
      {
        name: 'DATABASE_POOL_SIZE',
        means:
          'соединений с Postgres на один сервер; ещё до 4 берут фоновые работы. Сумма по серверам меньше `max_connections`',
      },
      {
        name: 'REDIS_URL',
        example: 'redis://localhost',
        means: 'Redis: события между серверами без задержки и общие счётчики ограничений. Необязателен',
      },
      {
        name: 'REDIS_PREFIX',
        usual: 'из `APP_URL` и имени базы',
        example: 'symbol:',
        means: 'начало ключей и каналов в Redis; задайте, если у двух установок одинаковы и адрес, и имя базы',
      },
      {
        name: ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
        means: 'файлы в корзине S3 вместо папки `DATA_DIR/files`: все пять сразу. Обязательны, если серверов несколько',
      },
      {
        name: 'S3_PREFIX',
        example: 'symbol',
        means: 'папка внутри корзины, например `symbol`; прежние файлы при смене перенесите сами',
      },
      {
        name: 'STORAGE_ADOPT',
        means: '`1` на один запуск: признать файлы своими, если база переехала или восстановлена из копии',
      },
      {
        name: 'BACKUP_TO',
        example: '/var/backups/symbol',
        means: 'куда складывает копии `npm run backup`: папка или корзина, например `s3://backups/symbol`',
      },
      { name: 'BACKUP_KEEP', means: 'сколько последних копий хранить' },
      {
        name: ['BACKUP_S3_ENDPOINT', 'BACKUP_S3_REGION', 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
        means: 'адрес и ключи корзины для копий, если они не те же, что у файлов (`S3_…`)',
      },
    ],
  },
  {
    title: 'Почта',
    settings: [
      {
        name: 'SMTP_URL',
        example: 'smtps://user:password@mail.example.ru',
        means:
          'почтовый сервер, например `smtps://user:password@mail.example.ru`. Без него письма остаются в `/dev/mail`, а сервер отвечает только на своей машине',
      },
      {
        name: 'MAIL_FROM',
        usual: '`APP_NAME <noreply@домен из APP_URL>`',
        example: 'Символ <noreply@chat.example.ru>',
        means: 'от кого письма',
      },
    ],
  },
  {
    title: 'Вход и администраторы',
    settings: [
      {
        name: 'AUTH_SECRET',
        usual: 'создаётся в `DATA_DIR`',
        means: 'секрет сеансов и ссылок, не короче 32 знаков: `openssl rand -hex 32`. В production обязателен',
      },
      { name: 'ADMIN_EMAILS', example: 'owner@example.ru', means: 'адреса администраторов через запятую' },
      {
        name: 'ADMIN_USER_IDS',
        example: '0192a5c4-7b1e-7c3d-9f20-4d5e6f708192',
        means:
          'id пользователей через запятую: они администраторы всегда, какой бы ни была их роль. Id есть в адресе карточки `/admin/users/…`',
      },
      {
        name: 'ADMIN_SECOND_FACTOR',
        usual: '`required` в production, иначе `optional`',
        example: 'required',
        means:
          'нужен ли администраторам второй шаг входа; при `required` без него управление закрывается после отсрочки',
      },
      { name: 'ADMIN_GRACE_DAYS', means: 'сколько дней есть у администратора, чтобы добавить второй шаг; от 0 до 90' },
      {
        name: namesByPattern.socialProvider,
        means: `вход через внешний сервис, оба сразу. Сервисы: ${providerIds.map((id) => `\`${id.toUpperCase()}\``).join(', ')}. Адрес возврата у сервиса: \`APP_URL/api/auth/callback/vk\` и так далее`,
      },
      {
        name: 'PAYPAL_ENVIRONMENT',
        example: 'live',
        means: 'среда PayPal для входа: `sandbox` — пробная, `live` — настоящая',
      },
      {
        name: 'TRUSTED_PROVIDERS',
        example: 'yandex',
        means:
          'сервисы через запятую: вход через них сам привяжется к аккаунту с тем же адресом почты, кроме администратора. Остальные привязывают по письму или в профиле',
      },
    ],
  },
  {
    title: 'Модели',
    settings: [
      {
        name: namesByPattern.openai,
        usual: 'не задано, `https://api.openai.com/v1`',
        means: 'доступ к моделям OpenAI или сервиса с таким же API; в таблице моделей это провайдер `openai`',
      },
      {
        name: ['PROVIDER_<ИМЯ>_API_KEY', 'PROVIDER_<ИМЯ>_BASE_URL'],
        means:
          'ещё сколько угодно сервисов. Имя из латинских букв и цифр. У вида `openai` обязателен адрес, у остальных ключ, а адрес известен',
      },
      {
        name: 'PROVIDER_<ИМЯ>_KIND',
        usual: '`openai`',
        means:
          'какой у сервиса API: `openai` (и все совместимые), `yandex`, `gigachat`, `anthropic`, `gemini`, а для записей голоса `speechkit` или `salute`. Подробно — в помощи «Как подключить модели»',
      },
      { name: 'PROVIDER_<ИМЯ>_PROJECT', means: 'Yandex AI Studio: идентификатор каталога (`OpenAI-Project`)' },
      {
        name: 'PROVIDER_<ИМЯ>_AUTH',
        usual: 'как принято у вида',
        means:
          'как отправлять ключ: `bearer` — `Authorization: Bearer …`, `api-key` — `Authorization: Api-Key …`, `raw` — ключ без слова перед ним',
      },
      { name: 'PROVIDER_<ИМЯ>_HEADERS', means: 'ещё заголовки каждого запроса: `Имя: значение; Имя2: значение`' },
      {
        name: 'PROVIDER_<ИМЯ>_CA',
        means:
          'путь к файлу с корневым сертификатом (PEM), которому верить только для этого сервиса, в придачу к обычным. Проверка не отключается',
      },
      {
        name: 'PROVIDER_<ИМЯ>_SCOPE',
        usual: '`GIGACHAT_API_PERS`, у `salute` — `SALUTE_SPEECH_PERS`',
        means:
          'GigaChat: версия API — `GIGACHAT_API_PERS`, `GIGACHAT_API_B2B` или `GIGACHAT_API_CORP`; SaluteSpeech: `SALUTE_SPEECH_PERS`, `SALUTE_SPEECH_B2B` или `SALUTE_SPEECH_CORP`',
      },
      {
        name: 'PROVIDER_<ИМЯ>_TOKEN_URL',
        usual: '`https://ngw.devices.sberbank.ru:9443/api/v2/oauth`',
        means: 'GigaChat и SaluteSpeech: где получать токен',
      },
      {
        name: 'PROVIDER_<ИМЯ>_THINKING',
        usual: '`effort`, у `anthropic` и `gemini` свой способ',
        means:
          'как сказать модели, сколько размышлять: `effort` — `reasoning_effort`, `openrouter` — `reasoning`, `toggle` — `thinking` (DeepSeek, GLM), `off` — никак',
      },
      {
        name: namesByPattern.country,
        usual: 'для известных видов и api.openai.com известна, иначе нет',
        means:
          'в какой стране данные обрабатывает этот сервис, две буквы, например `RU`. По ней люди видят, куда уходят данные, и выбирают модели; неизвестная страна считается чужой',
      },
      {
        name: 'DEFAULT_MODEL',
        means: 'модель там, где её не назвали: её id или имя у провайдера. Нет такой — первая видимая',
      },
      { name: 'MODEL_FIRST_WORD_SECONDS', means: 'сколько секунд ждать первого слова; потом отвечает запасная модель' },
      { name: 'MODEL_SILENCE_SECONDS', means: 'сколько секунд ждать следующего слова' },
      { name: 'MODEL_THINKING_SECONDS', means: 'сколько секунд модель может размышлять за весь ответ' },
      { name: 'DEMO_MODEL', means: '`1` оставляет модель «Демо» рядом с настоящими' },
    ],
  },
  {
    title: 'Поиск в интернете',
    settings: [
      {
        name: 'SEARCH_ENGINE',
        example: 'yandex',
        usual: 'не задано: поиска нет, а пока отвечает модель «Демо», он ищет в справке этого сервера',
        means: 'чем искать: `yandex` (Yandex Search API), `searxng` (свой SearXNG), `brave` или `tavily`',
      },
      { name: 'SEARCH_API_KEY', means: 'ключ этого сервиса; для `searxng` не нужен' },
      {
        name: 'SEARCH_FOLDER',
        example: 'b1g0000000000000000',
        means: 'идентификатор каталога в Yandex Cloud, только для `yandex`',
      },
      {
        name: 'SEARCH_BASE_URL',
        usual: 'адрес сервиса',
        example: 'http://localhost:8080',
        means: 'адрес вашего SearXNG; для остальных — если обращаться надо через свой шлюз',
      },
      {
        name: 'SEARCH_PRICE',
        means:
          'сколько символов стоит один удачный поиск сверх прочитанного текста; цену видно до отправки. Сколько поисков в день разрешено одному человеку, задаёт `LIMITS`: `web-searches=100/86400`',
      },
      {
        name: 'SEARCH_COST',
        means:
          'сколько вы платите за тысячу запросов к этому сервису, с валютой: `480 RUB`; войдёт в расходы статистики',
      },
    ],
  },
  {
    title: 'Символы',
    settings: [
      {
        name: 'START_SYMBOLS',
        means: 'сколько символов получает новый пользователь, один раз; из одной сети не больше 10 человек в день',
      },
      {
        name: 'GIFT_BLOCK_DOMAINS',
        example: 'mail.example, tmp.example',
        means:
          'почтовые домены через запятую (с поддоменами), которым стартовых символов не давать, в придачу к списку временной почты',
      },
      { name: 'GIFT_ALLOW_DOMAINS', means: 'домены, которым их давать, хотя они есть в этом списке' },
      {
        name: 'EMBEDDING_FREE_SYMBOLS',
        means:
          'сколько символов файлов ассистентов в месяц переводится в векторы для одного пользователя бесплатно; дальше по коэффициенту модели, с согласия',
      },
    ],
  },
  {
    title: 'Оплата',
    settings: [
      {
        name: ['BEPAID_SHOP_ID', 'BEPAID_SECRET_KEY'],
        means: 'магазин bePaid, оба сразу. Без них купить ничего нельзя, и страница так и говорит',
      },
      {
        name: 'BEPAID_PUBLIC_KEY',
        means:
          'открытый ключ магазина для подписи уведомлений; без него им верят только по номеру магазина и секретному ключу',
      },
      { name: 'BEPAID_API_URL', means: 'адрес API bePaid, если у вас он другой' },
      { name: 'BEPAID_CHECKOUT_URL', means: 'адрес страницы оплаты' },
      { name: 'BEPAID_GATEWAY_URL', means: 'адрес шлюза' },
      {
        name: 'BEPAID_METHODS',
        means:
          'чем можно платить за пакеты: названия способов из bePaid через запятую (`credit_card,erip`) или `all` — всё, что подключено в вашем магазине. Подписки всегда оплачиваются картой',
      },
      { name: 'BEPAID_TEST', means: '`1` — платежи тестовыми картами засчитываются. В production запрещено' },
      {
        name: 'BEPAID_STAND_IN',
        means: '`1` — тестовая оплата, на порту PORT + 1. В production и вместе с `BEPAID_SHOP_ID` запрещено',
      },
      {
        name: ['YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'],
        means:
          'магазин ЮKassa, оба сразу. Через него идут заказы в валюте магазина, остальные — через bePaid. Ключ тестового магазина (`test_…`) в production запрещён',
      },
      { name: 'YOOKASSA_API_URL', means: 'адрес API ЮKassa, если у вас он другой' },
      {
        name: 'YOOKASSA_METHODS',
        means:
          'чем можно платить, через запятую: `bank_card`, `sbp`, `sberbank`, `tinkoff_bank`, `yoo_money`. Способ должен быть подключён в магазине',
      },
      { name: 'YOOKASSA_CURRENCY', means: 'валюта магазина ЮKassa' },
      {
        name: 'YOOKASSA_RECEIPTS',
        means:
          'чеки по 54-ФЗ: `off` — не нужны, `yookassa` — «Чеки от ЮKassa», `till` — своя облачная касса, подключённая к магазину',
      },
      {
        name: 'RECEIPT_VAT_CODE',
        means: 'код НДС в чеке, от 1 до 12: 1 — без НДС, 4 — 20 %, 7 — 5 %, 11 — 22 %. Нужен, если чеки включены',
      },
      { name: 'RECEIPT_TAX_SYSTEM', means: 'код системы налогообложения, от 1 до 6: 1 — ОСН, 2 — УСН «доходы»' },
      { name: 'RECEIPT_SUBJECT', means: 'предмет расчёта в чеке' },
      { name: 'RECEIPT_MODE', means: 'способ расчёта в чеке: `full_payment`, `full_prepayment` или `advance`' },
      {
        name: 'YOOKASSA_STAND_IN',
        means:
          '`1` — тестовая ЮKassa: карта, СБП и чеки. Слушает на порту PORT + 2. В production и вместе с `YOOKASSA_SHOP_ID` запрещено',
      },
    ],
  },
  {
    title: 'Поддержка, аналитика, наблюдение',
    settings: [
      {
        name: 'SUPPORT_URL',
        example: 'https://t.me/example',
        usual: 'страница помощи `/help/account/support`',
        means: 'куда ведёт «Написать в поддержку»',
      },
      {
        name: 'SUPPORT_EMAIL',
        usual: 'адрес из `MAIL_FROM`, если он задан',
        example: 'help@example.ru',
        means:
          'почта поддержки; её показывает страница помощи о поддержке. Если не заданы ни она, ни SUPPORT_URL, в работе об этом предупреждают журнал и экран «Состояние»',
      },
      {
        name: 'ANALYTICS_URL',
        means: 'свой адрес с https, куда отправлять события. Без согласия человека ничего не уходит',
      },
      { name: 'YANDEX_METRIKA_ID', means: 'номер счётчика Метрики; можно вместе с `ANALYTICS_URL`' },
      {
        name: 'METRICS_TOKEN',
        means:
          'ключ к `/metrics`: `Authorization: Bearer …`. Без ключа в production метрики закрыты; через прокси не отвечают и с ключом',
      },
      {
        name: 'LOG_LEVEL',
        usual: '`info` в production, иначе `warn`',
        means:
          '`trace`, `debug`, `info`, `warn`, `error` или `silent`. На `info` — строка на каждый запрос и каждый ответ модели; проверки здоровья и файлы страницы — на `debug`',
      },
    ],
  },
]
