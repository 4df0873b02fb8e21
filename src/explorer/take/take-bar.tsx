/** What is taken away from the page. */
export function TakeBar() {
  return <footer class="take-bar" />;
}
