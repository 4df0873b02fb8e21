// Shows the OpenAPI document of the service in Swagger UI, which replaces the plain list of operations. URLs are
// relative, so that the page works under a proxy's path.

/* global SwaggerUIBundle */

const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

const LANDMARKS = [
  ['.information-container', 'region', 'About'],
  ['.scheme-container', 'region', 'Server and access'],
  ['.filter-container', 'search', 'Operations'],
];

/** Makes Swagger UI accessible by keyboard and screen reader. Only attributes are changed. */
function mend(within) {
  for (const select of within.querySelectorAll('select:not([aria-label])')) {
    const isServer = select.closest('.servers') !== null;
    const parameter = select.closest('tr')?.dataset.paramName;
    select.setAttribute('aria-label', isServer ? 'Server' : (parameter ?? 'Media type'));
  }
  for (const field of within.querySelectorAll(':is(input, textarea):not([aria-label], [type=checkbox])'))
    field.setAttribute(
      'aria-label',
      field.closest('tr')?.dataset.paramName ?? (field.placeholder || 'Value'),
    );
  for (const [selector, role, label] of LANDMARKS)
    for (const element of within.querySelectorAll(`${selector}:not([role])`)) {
      element.setAttribute('role', role);
      element.setAttribute('aria-label', label);
    }
  // Swagger UI's headings begin at the second level. Each is raised one level, because the page has no other heading.
  for (const heading of within.querySelectorAll(':is(h2, h3, h4, h5):not([aria-level])')) {
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', String(Number(heading.tagName[1]) - 1));
  }
  // Links within operations' buttons are not needed, because the page's URL names any operation that is open.
  for (const link of within.querySelectorAll('.opblock-summary-control a[href]'))
    link.removeAttribute('href');
  for (const text of within.querySelectorAll('.microlight:not([tabindex])')) text.tabIndex = 0;
}

const place = document.createElement('div');
document.querySelector('#plain').before(place);
let isDue = false;
const mendOnce = () => {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    mend(place);
  }, 50);
};
new MutationObserver(mendOnce).observe(place, { childList: true, subtree: true });

SwaggerUIBundle({
  url: new URL('openapi.json', document.baseURI).href,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  syntaxHighlight: { activated: true, theme: 'obsidian' },
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => document.querySelector('#plain').remove(),
});
